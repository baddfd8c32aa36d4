import type { LetterTexts } from './en.ts';

export const ptLetters: LetterTexts = {
  test: 'Teste',
  testHint: 'Foi um teste: nenhum dinheiro real foi movimentado.',
  reference: (id) => `Referência: ${id}`,
  contact: (contact) => `Dúvidas? Fale com a loja: ${contact}`,
  why: (shop) => `Você recebe este e-mail porque paga a ${shop} e a loja tem o seu endereço.`,
  leave: 'Não receber mais e-mails sobre pagamentos a esta loja',
  seen: {
    subject: (shop) => `O seu pagamento a ${shop} foi visto`,
    title: 'O seu pagamento foi visto',
    body: (amount) =>
      `${amount} estão a caminho. A rede está confirmando; você não precisa fazer nada.`,
    button: 'Ver como está',
  },
  paid: {
    subject: (shop) => `O seu pagamento a ${shop} está completo`,
    title: 'Pago. Obrigado!',
    body: (shop, total) => `${shop} recebeu o seu pagamento de ${total}.`,
    button: 'Abrir o recibo',
  },
  underpaid: {
    subject: (shop) => `Falta uma parte do seu pagamento a ${shop}`,
    title: 'Ainda falta uma parte',
    body: (received, remaining) => `Chegaram ${received}, faltam ${remaining}.`,
    todo: 'A página diz quanto custa o resto agora e como pagar. Não quer pagar? Peça um reembolso à loja e informe a referência.',
    button: 'Pagar o resto',
  },
  expired: {
    subject: (shop) => `O prazo para pagar a ${shop} terminou`,
    title: 'O prazo para pagar terminou',
    body: 'Nada foi cobrado. Não envie nada pelo preço antigo.',
    todo: 'Ainda quer pagar? A página dá um novo preço. Já enviou? O que chegar ainda será creditado: guarde a referência.',
    button: 'Abrir a página',
  },
  claim: {
    subject: (shop) => `Um reembolso de ${shop} espera por você`,
    title: 'Um reembolso espera por você',
    body: (shop, amount) => `${shop} devolve ${amount} a você. A página pergunta para onde enviar.`,
    until: (moment) =>
      `Está aberto até ${moment}. Não passe o link a ninguém: quem o tem diz para onde o dinheiro vai.`,
    button: 'Dizer para onde vai',
  },
  sent: {
    subject: (shop) => `O seu reembolso de ${shop} foi enviado`,
    title: 'O seu reembolso foi enviado',
    body: (amount, address) => `${amount} foram enviados para ${address}.`,
    transaction: (transaction) => `Transação: ${transaction}`,
    button: 'Ver o pagamento',
  },
  page: {
    title: (shop) => `E-mails sobre pagamentos a ${shop}`,
    gets: 'Você recebe e-mails sobre os seus pagamentos a esta loja.',
    leave: 'Não receber mais e-mails',
    left: 'Você não recebe mais e-mails sobre os seus pagamentos a esta loja.',
    again: 'Voltar a receber e-mails',
  },
};

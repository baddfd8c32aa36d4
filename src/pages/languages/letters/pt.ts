import type { LetterTexts, VerifyTexts } from './en.ts';

export const ptLetters: LetterTexts = {
  test: 'Teste',
  testHint: 'Foi um teste: nenhum dinheiro real foi movimentado.',
  reference: (id) => `Referência: ${id}`,
  contact: (contact) => `Dúvidas? Fale com a loja: ${contact}`,
  why: (shop) => `Você recebe este e-mail porque paga a ${shop} e a loja tem o seu endereço.`,
  whyAsked: (shop) =>
    `Recebe esta mensagem porque alguém indicou o seu endereço na página de um pagamento a ${shop}.`,
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
    money: {
      body: 'Chegou algo que não conta como este pagamento: outra moeda, ou uma transferência que a rede não confirmou.',
      todo: 'Não está perdido. O que a rede confirmar mais tarde ainda é creditado. Se foi outra moeda, pergunte à loja e indique a referência. A página mostra o que foi visto.',
    },
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
  bill: {
    sent: {
      subject: (shop, name) => `Fatura ${name} de ${shop}`,
      title: 'A sua fatura',
      body: (shop, total) => `${shop} enviou a você uma fatura de ${total}.`,
      due: (day) => `Pague-a até ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Lembrete: fatura ${name} de ${shop}`,
      title: 'A sua fatura vence em breve',
      body: (total, day) => `A sua fatura de ${total} vence em ${day}.`,
    },
    today: {
      subject: (shop, name) => `A fatura ${name} de ${shop} vence hoje`,
      title: 'A sua fatura vence hoje',
      body: (total, day) => `A sua fatura de ${total} vence hoje, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `A fatura ${name} de ${shop} está vencida`,
      title: 'A sua fatura está vencida',
      body: (total, day) =>
        `A sua fatura de ${total} venceu em ${day}. Ainda não vemos nenhum pagamento dela.`,
    },
    hint: 'A página mostra a fatura e recebe o pagamento, pelo preço daquele momento. Já pagou? Então você não precisa fazer nada.',
    number: (name) => `Número da fatura: ${name}`,
    button: 'Ver e pagar a fatura',
  },
  page: {
    title: (shop) => `E-mails sobre pagamentos a ${shop}`,
    gets: 'Você recebe e-mails sobre os seus pagamentos a esta loja.',
    leave: 'Não receber mais e-mails',
    left: 'Você não recebe mais e-mails sobre os seus pagamentos a esta loja.',
    again: 'Voltar a receber e-mails',
  },
  staff: {
    why: (shop) => `Você recebe este e-mail porque trabalha com ${shop}.`,
    choose: 'Escolher quais e-mails você recebe',
    paid: {
      subject: (shop, total) => `${shop}: ${total} pagos`,
      title: 'Pago',
      body: (total) => `Um pagamento de ${total} está completo.`,
      button: 'Abrir o pagamento',
    },
    needs: {
      subject: (shop) => `${shop}: um pagamento precisa de você`,
      title: 'Um pagamento precisa de você',
      reasons: {
        underpaid: 'Chegou menos do que foi pedido. Aceite, reembolse ou espere o resto.',
        misdirected:
          'Chegou dinheiro em outro ativo ou por outra rede do que foi pedido. Decida o que fazer com ele.',
        again: 'Um pagamento que já estava completo foi pago outra vez. Reembolse o que sobra.',
        billAgain: 'Uma fatura que já estava paga foi paga mais uma vez. Reembolse o que é demais.',
        reversed: 'A rede retirou um pagamento que estava creditado. Veja se você já entregou.',
        failed: 'Dinheiro que devia sair não saiu, ou voltou. Veja por quê.',
      },
      button: 'Ver',
    },
    summary: {
      subject: (shop, day) => `${shop}: ${day}`,
      title: (day) => `O seu dia: ${day}`,
      paid: (count) => `Pagamentos completos: ${count}`,
      total: (sums) => `No total: ${sums}`,
      needs: (count) => `Precisaram de alguém: ${count}`,
      button: 'Abrir o painel',
    },
  },
};

export const ptVerify: VerifyTexts = {
  title: 'Verificar um recibo ou uma fatura',
  hint: 'Digite o código que está no recibo ou na fatura. Você vê o que os nossos livros dizem, e nada sobre o comprador.',
  code: 'Código de verificação',
  at: 'Verificar em',
  check: 'Verificar',
  unknown: 'Nenhum recibo e nenhuma fatura nossa tem este código. Compare sinal por sinal.',
  compare: 'Compare com o papel que você tem. Vale o que está aqui.',
  issuer: 'Emitido por',
  states: {
    paid: 'Isto está pago',
    partial: 'Uma parte disto está paga',
    open: 'Não há pagamento confirmado para isto',
    reversed: 'Isto foi pago, e a rede desfez o pagamento',
    refunded: 'Isto foi pago, e o dinheiro foi devolvido',
    partlyRefunded: 'Isto foi pago, e uma parte foi devolvida',
    cancelled: 'Esta fatura foi cancelada',
    cancellation: 'Este documento cancela uma fatura',
  },
  worth: 'Valor pago',
  explorer: 'Na rede',
};

// Portuguese of what came in and what needs somebody.

import type { TodayTexts } from './en.ts';

export const ptToday: TodayTexts = {
  today: {
    title: 'Hoje',
    first: 'Por onde começar',
    nothingSold: 'Ainda não se vendeu nada aqui.',
    tryFirst:
      'Experimente tudo primeiro no modo de teste: é igual em tudo, e nenhum dinheiro real se move.',
    manual: 'Manual',
    steps: {
      key: 'Crie uma chave de API: a sua loja assina com ela os pedidos.',
      checkout: 'Peça um primeiro pagamento: o manual mostra a linha para colar.',
      webhook: 'Faça a sua loja saber quando alguém pagou.',
      settings: 'O seu nome, cor e logotipo nas páginas que os clientes veem.',
      people: 'Convide quem trabalha com você, cada um com uma função.',
    },
    needsTitle: 'O que precisa de alguém',
    nothingWaits: 'Nada espera por ninguém.',
    oldest: 'O mais antigo',
    needs: {
      underpaid: {
        label: 'Pago a menos',
        hint: 'Chegou menos do que o pedido. Aceite, ou espere pelo resto.',
      },
      late: {
        label: 'Pago com atraso',
        hint: 'Chegou fora do prazo e não basta ao preço de hoje. Aceite, ou peça o resto.',
      },
      'bill-again': {
        label: 'Faturas pagas duas vezes',
        hint: 'Dois pagamentos foram creditados por uma fatura. Devolva o que é demais ou diga como foi resolvido.',
      },
      'wrong-asset': {
        label: 'Outro ativo ou outra rede do que o pedido',
        hint: 'Chegou e está à parte, sem crédito. Quem opera este servidor devolve ou atribui.',
      },
      suspense: {
        label: 'Dinheiro sem dono que cita a sua loja',
        hint: 'Está à parte até quem opera este servidor decidir.',
      },
      parked: {
        label: 'Pagamentos que não se puderam decidir',
        hint: 'Há novas tentativas. Se ficarem, avise quem opera este servidor.',
      },
      'parked-address': {
        label: 'Endereços de depósito que não se puderam decidir',
        hint: 'Avise quem opera este servidor.',
      },
      'webhook-given-up': {
        label: 'Webhooks abandonados',
        hint: 'A sua loja não foi avisada. Veja o que respondeu e envie de novo.',
      },
      'webhook-failing': {
        label: 'Webhooks que falham',
        hint: 'A sua loja não responde como deve. Uma nova tentativa é feita automaticamente.',
      },
      approval: {
        label: 'À espera de uma segunda pessoa',
        hint: 'Alguém que não seja quem começou precisa aprovar.',
      },
      transfer: {
        label: 'Transferências a assinar ou enviar',
        hint: 'Quem opera este servidor envia-as à mão ou repara o que as retém.',
      },
    },
    cameIn: 'O que entrou',
    cameInHint:
      'Os dias são os de UTC. As faturas contam como foram escritas; o resto aos preços salvos nesse dia.',
    periods: {
      1: 'Hoje',
      7: '7 dias',
      30: '30 dias',
    },
    payments: 'Pagamentos',
    worth: 'Valor',
    withoutPrice: 'E sem preço salvo',
    byDay: 'Por dia',
    byAsset: 'Por meio de pagamento',
    byLanguage: 'Por idioma do cliente',
    asTable: 'Como tabela',
    day: 'Dia',
    asset: 'Ativo',
    language: 'Idioma',
    noLanguage: 'Sem página de pagamento',
    notKnown: 'Desconhecido',
  },
};

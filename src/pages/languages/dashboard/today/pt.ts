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
      settings: 'O seu nome, cor e logótipo nas páginas que os clientes veem.',
      people: 'Convide quem trabalha consigo, cada um com um papel.',
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
        label: 'Pago tarde',
        hint: 'Chegou fora do prazo e não chega ao preço de hoje. Aceite, ou peça o resto.',
      },
      'wrong-asset': {
        label: 'Outro ativo ou outra rede do que o pedido',
        hint: 'Chegou e está à parte, sem crédito. Quem gere este servidor devolve ou atribui.',
      },
      suspense: {
        label: 'Dinheiro sem dono que o nomeia',
        hint: 'Está à parte até quem gere este servidor decidir.',
      },
      parked: {
        label: 'Pagamentos que não se puderam decidir',
        hint: 'São tentados de novo. Se ficarem, avise quem gere este servidor.',
      },
      'parked-address': {
        label: 'Endereços de depósito que não se puderam decidir',
        hint: 'Avise quem gere este servidor.',
      },
      'webhook-given-up': {
        label: 'Webhooks abandonados',
        hint: 'A sua loja não foi avisada. Veja o que respondeu e envie de novo.',
      },
      'webhook-failing': {
        label: 'Webhooks que falham',
        hint: 'A sua loja não responde como deve. Tenta-se de novo por si.',
      },
      approval: {
        label: 'À espera de uma segunda pessoa',
        hint: 'Tem de aprovar alguém que não seja quem começou.',
      },
      transfer: {
        label: 'Transferências por assinar ou enviar',
        hint: 'Quem gere este servidor envia-as à mão ou repara o que as retém.',
      },
    },
    cameIn: 'O que entrou',
    cameInHint:
      'Os dias são os de UTC. As faturas contam como foram escritas; o resto aos preços guardados nesse dia.',
    periods: {
      1: 'Hoje',
      7: '7 dias',
      30: '30 dias',
    },
    payments: 'Pagamentos',
    worth: 'Valor',
    withoutPrice: 'E sem preço guardado',
    byDay: 'Por dia',
    byAsset: 'Por meio de pagamento',
    byLanguage: 'Por língua do cliente',
    asTable: 'Como tabela',
    day: 'Dia',
    asset: 'Ativo',
    language: 'Língua',
    noLanguage: 'Sem página de pagamento',
    notKnown: 'Desconhecido',
  },
};

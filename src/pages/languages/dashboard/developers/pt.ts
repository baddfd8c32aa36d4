import type { DeveloperTexts } from './en.ts';

export const ptDevelopers: DeveloperTexts = {
  authentication: {
    title: 'Autenticação',
    hint: 'Como os programas desta loja se identificam. Vale para todas as chaves existentes com este tipo de dinheiro e para as que vierem; o que move dinheiro é sempre assinado.',
    label: 'Método preferido',
    DIGEST: 'Digest: as requisições são assinadas (recomendado)',
    BASIC: 'Também X-Basic: um valor fixo, para testes',
    submit: 'Escolher',
  },
  receivers: {
    tellIn: (version) => `Avisar na versão ${version}`,
  },
  checkoutSecret: {
    title: 'Segredo das cobranças',
    hint: 'Assina o que vai para o webhook que a própria cobrança informa. Os plugins de programas de loja pedem por ele.',
    show: 'Mostrar o segredo',
  },
  chains: {
    title: 'Redes simuladas',
    hint: 'O que um minerador e um nó poderiam fazer com os seus pagamentos de teste. Só afeta os pagamentos desta loja: as outras não percebem nada. Programas fazem o mesmo com POST /sandbox/mine, /sandbox/reorg e /sandbox/freeze.',
    off: 'As redes simuladas estão desligadas neste servidor.',
    height: 'Bloco mais recente',
    instant: 'Aqui cada pagamento é definitivo na hora: é um bloco próprio.',
    silentUntil: 'O nó fica em silêncio até',
    blocks: 'Quantos blocos',
    mine: 'Criar blocos',
    mineAll: 'Criar blocos em todas',
    reorg: 'Desfazer blocos',
    silentFor: 'Quanto tempo o nó fica em silêncio',
    stop: 'Parar a rede',
    goOn: 'Continuar agora',
    done: 'Feito. É assim que as redes estão agora.',
    count: (most: string) => `Escreva um número inteiro de 1 a ${most}.`,
  },
  requests: {
    title: 'Pedidos',
    hint: 'O que os seus programas pediram à API nos últimos sete dias. Os segredos estão cortados.',
    looked: (count: string) =>
      `Para esta página foram examinados ${count}; pode haver mais entre os mais antigos.`,
    missed: (count: string) =>
      `Faltam aqui ${count} pedidos: vieram demasiados de uma vez ou não puderam ser escritos.`,
    status: 'Resposta',
    succeeded: 'Sucesso (2xx)',
    refused: 'Recusado (4xx)',
    failed: 'Falhado (5xx)',
    path: 'O caminho começa por',
    key: 'Chave de API',
    at: 'Hora',
    duration: 'Duração',
    address: 'De',
    asked: 'O que foi pedido',
    answered: 'O que foi respondido',
    bytes: (count: string) => `${count} bytes`,
    unproven: 'Quem enviou isto não provou a chave, por isso nada do que enviou é guardado.',
    notKept: 'O corpo não é guardado: não é JSON ou é longo demais.',
  },
  testEvent: {
    title: 'Experimentar um recetor',
    hint: 'Um evento assinado com dados inventados vai para um recetor. O seu texto diz "test": true e nada disso aconteceu.',
    receiver: 'Recetor',
    kind: 'Tipo',
    send: 'Enviar um evento de teste',
    mark: 'Evento de teste: nada disto aconteceu.',
  },
  eventKinds: {
    title: 'Tipos de eventos',
    hint: 'Quando cada um é comunicado e como é. Os dados são inventados.',
    example: 'Exemplo',
    told: {
      CHECKOUT_COMPLETED: 'Um checkout foi pago na totalidade; o saldo foi atualizado',
      CHECKOUT_PENDING: 'Foi visto dinheiro para um checkout que ainda não é definitivo',
      CHECKOUT_UNDERPAID: 'O dinheiro definitivo é menos do que o necessário',
      CHECKOUT_EXPIRED: 'O prazo de um checkout terminou sem dinheiro definitivo',
      CHECKOUT_CANCELLED: 'Um checkout foi cancelado pela loja ou pelo cliente',
      CHECKOUT_REVERSED: 'A rede retirou dinheiro que tinha sido creditado',
      CHECKOUT_RESTORED: 'Dinheiro que a rede tinha retirado, ou outro em seu lugar, voltou',
      CHECKOUT_PAID_AGAIN: 'Outro pagamento foi creditado depois de o checkout estar completo',
      CHECKOUT_PENDING_WITHDRAWN:
        'O dinheiro de CHECKOUT_PENDING não vai chegar: não foi creditado',
      CHECKOUT_MISDIRECTED: 'Chegou dinheiro noutro ativo ou noutra rede diferente da pedida',
      UNDERPAID_ACCEPTED: 'Um checkout pago em falta foi aceite com o que chegou',
      REFUND_RESTS:
        'Um reembolso para um endereço novo acima de um limite é enviado mais tarde: até lá pode ser cancelado',
      REFUND_COMPLETED: 'Um reembolso chegou',
      REFUND_FAILED: 'Um reembolso não foi enviado nem será; o dinheiro voltou para onde estava',
      REFUND_REOPENED:
        'Um reembolso tinha chegado, ou falhado, e a rede desfez isso: está de novo a caminho',
      REFUND_RETURNED:
        'Um reembolso tinha chegado e foi devolvido; o dinheiro voltou para onde estava',
      DEPOSIT_PENDING: 'Foi visto dinheiro num endereço de depósito que ainda não é definitivo',
      DEPOSIT_PENDING_WITHDRAWN:
        'O dinheiro de DEPOSIT_PENDING já não está na rede: não foi creditado',
      DEPOSIT_COMPLETED: 'Dinheiro num endereço de depósito foi creditado',
      DEPOSIT_REVERSED: 'A rede retirou dinheiro creditado de um endereço de depósito',
      DEPOSIT_MISDIRECTED:
        'Chegou dinheiro noutro ativo a um endereço de depósito: fica à espera até alguém decidir',
      SUSPENSE_RESOLVED:
        'Dinheiro por atribuir foi-lhe atribuído, devolvido a quem pagou ou abatido',
      SWAP_COMPLETED: 'Uma troca foi realizada',
      SWAP_FAILED: 'Uma troca não pôde ser realizada',
      TRANSFER_COMPLETED: 'Uma transferência chegou',
      TRANSFER_FAILED: 'Uma transferência não pode chegar; o dinheiro está de novo disponível',
      TRANSFER_REOPENED:
        'Uma transferência tinha chegado, ou falhado, e a rede desfez isso: está de novo a caminho',
      TRANSFER_RETURNED:
        'Uma transferência tinha chegado e foi devolvida; o que voltou está de novo disponível',
      SETTLEMENT_SKIPPED:
        'Uma regra de liquidação era devida e não pôde ser seguida: dito uma vez por motivo, enquanto se tenta de novo',
    },
  },
};

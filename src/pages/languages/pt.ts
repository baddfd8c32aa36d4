import { countedText, type NounForms } from './plural.ts';
import type { Texts } from './texts.ts';

const count = (number: number, forms: NounForms) => countedText('pt', number, forms);

export const pt: Texts = {
  page: {
    language: 'Idioma',
    skip: 'Ir direto ao pagamento',
    poweredBy: 'Pagamentos com Quittance',
    testMode: 'Modo de teste',
    testModeHint: 'Aqui não circula dinheiro de verdade.',
    copy: 'Copiar',
    copied: 'Copiado',
    back: 'Voltar',
    tryAgain: 'Tentar novamente',
  },
  summary: {
    title: 'Seu pedido',
    quantity: (quantity) => `× ${quantity}`,
    discount: 'Desconto',
    shipping: 'Frete',
    total: 'Valor total',
    seller: 'Vendedor',
    order: 'Referência do pagamento',
  },
  choose: {
    title: (total) => `Pagar ${total}`,
    hint: 'Escolha com o que deseja pagar.',
    networkTitle: (group) => `Pagar com ${group}`,
    networkHint: 'Escolha a rede pela qual sua carteira ou corretora faz o envio.',
    methods: (number) => count(number, { one: 'forma de pagamento', other: 'formas de pagamento' }),
    only: 'Na próxima página você verá o valor e para onde enviá-lo.',
    continue: 'Continuar',
    otherGroups: 'Outras moedas',
    back: 'Voltar ao pagamento',
    on: (network) => `pela rede ${network}`,
    timeInstant: 'confirmado em segundos',
    timeMinutes: (minutes) => `confirmado em cerca de ${minutes}`,
    feeLow: 'taxa de rede baixa',
    feeVaries: 'taxa de rede variável',
    exchanges: 'funciona a partir de corretoras',
    none: 'Não há mais nenhuma forma de pagamento disponível. Volte à loja e faça o pedido novamente.',
    slow: 'no momento, os pagamentos aparecem com atraso',
  },
  pay: {
    title: (total) => `Pagar ${total}`,
    amount: 'Envie exatamente',
    amountRest: 'Falta enviar',
    address: (network) => `Para este endereço ${network}`,
    invoice: 'Pague esta fatura Lightning',
    memo: 'Com este memo',
    tag: 'Com esta destination tag',
    memoWarning: 'O memo faz parte do seu pagamento. Sem ele não conseguimos saber quem pagou.',
    tagWarning: 'A tag faz parte do seu pagamento. Sem ela não conseguimos saber quem pagou.',
    onlyNetwork: (assetCode, network) =>
      `Envie ${assetCode} somente pela rede ${network}. Qualquer outra coisa pode se perder.`,
    qrLink: 'Link completo',
    qrAddress: 'Só o endereço',
    qrShows: 'O código contém',
    qrAlt: (content) => `Código QR. Contém: ${content}`,
    link: 'Link de pagamento em texto',
    wallet: 'Abrir na carteira',
    exchange:
      'Vai pagar a partir de uma corretora? A taxa de saque é cobrada à parte: confira se chegará exatamente este valor.',
    timeLeft: (time) => `Tempo restante com este preço: ${time}`,
    timeShort: 'menos de um minuto',
    windowOver: 'O tempo para este preço terminou.',
    watching: 'Estamos acompanhando a rede. Esta página muda assim que virmos o seu pagamento.',
    change: 'Pagar de outra forma',
    cancel: 'Cancelar o pagamento',
    rate: (one, price, time) => `${one} = ${price}, às ${time}`,
    networkFee: (network) => `Sua carteira cobra à parte a taxa da rede ${network}.`,
    unify: 'Um só código para Bitcoin e Lightning',
  },
  seen: {
    title: 'Vimos o seu pagamento',
    hint: 'Você pode fechar esta página. O resto acontece automaticamente.',
    amount: 'Visto até agora',
    confirmations: (have, need) =>
      `${have} de ${count(need, { one: 'confirmação', other: 'confirmações' })}`,
    waiting: 'aguardando a primeira confirmação',
    final: 'confirmado',
    wrongAsset: 'moeda diferente da solicitada',
    transaction: 'Transação',
    timeSeconds: 'Em geral termina em menos de um minuto.',
    timeMinutes: (range) => `Em geral leva ${range}. Os blocos chegam em intervalos irregulares.`,
    short: 'O valor é menor que o preço. Envie também o restante, por favor.',
    explorer: (host) => `Ver em ${host}`,
  },
  partial: {
    title: 'Ainda falta uma parte',
    hint: 'Seu pagamento chegou, mas o valor era menor que o preço.',
    received: 'Recebido',
    remaining: 'Ainda falta',
    rest: 'Envie o restante da mesma forma:',
    windowOver:
      'O tempo para este preço terminou. O restante ainda conta se você o enviar; ou pergunte à loja o que fazer.',
    alternatives: 'Não quer pagar o restante? Peça um reembolso à loja e informe a referência.',
  },
  paid: {
    title: 'Pago. Obrigado!',
    hint: 'O pagamento está completo e a loja já foi avisada.',
    amount: 'Valor',
    seller: 'Pago a',
    when: 'Concluído',
    reference: 'Referência',
    return: 'Voltar à loja',
    print: 'Você pode imprimir ou salvar esta página como comprovante de pagamento.',
    leaving: (time) => `Você voltará à loja em ${time}.`,
    stay: 'Ficar nesta página',
  },
  expired: {
    title: 'O tempo para pagar terminou',
    doNotSend: 'Por favor, não envie nada agora.',
    alreadySent: 'Você já enviou?',
    alreadySentHint:
      'Então está tudo certo: continuamos acompanhando o endereço, e o que chegar ainda será creditado. Guarde esta referência.',
    wasDue: 'Foi solicitado',
    address: 'Para o endereço',
    again: 'Escolher outra forma de pagamento',
    return: 'Voltar à loja',
  },
  cancelled: {
    title: 'Pagamento cancelado',
    hint: 'Nada foi cobrado. Por favor, não envie nada ao endereço que você viu.',
    sent: 'Se você enviou algo antes, o valor ainda será creditado à loja: informe esta referência lá.',
    back: 'Voltar à loja',
  },
  trouble: {
    title: 'Estamos verificando',
    behindOver: (network) =>
      `O tempo para pagar terminou, mas no momento não conseguimos ver os pagamentos mais recentes na rede ${network}. Se você pagou, seu pagamento será encontrado. Se não, por favor não envie nada agora.`,
    behind: (network) =>
      `No momento não conseguimos ver os pagamentos mais recentes na rede ${network}. Você pode pagar; ele aparecerá aqui um pouco mais tarde.`,
    replaced:
      'Um pagamento que tínhamos visto foi substituído ou retirado. Só conta o que a rede confirma.',
    wrongAsset:
      'Chegou uma moeda diferente da solicitada. Ela não se perdeu, mas não paga este pedido: fale com a loja e informe a referência.',
    reversed:
      'A rede desfez um pagamento já confirmado. A loja foi avisada; por favor, fale com ela.',
    rateMissing: (assets) =>
      `Não há preço atual para ${assets}, por isso não é possível escolher no momento.`,
  },
  notice: {
    over: (amount) =>
      `Você enviou ${amount} a mais. Esse valor também foi creditado à loja: peça a ela a devolução.`,
    late: 'O pagamento chegou depois do prazo e foi creditado pelo preço do momento da chegada.',
    multiple:
      'Chegou mais de um pagamento para este pedido. Fale com a loja sobre o que foi pago a mais.',
    acceptedUnderpaid: 'O valor era menor que o preço, e a loja o aceitou.',
    refundAwaiting: (amount) =>
      `A loja vai devolver ${amount} a você. Ela enviará um link para você informar o destino.`,
    refundUnderWay: (amount) => `A loja está devolvendo ${amount} a você: já está a caminho.`,
    refundCompleted: (amount) => `A loja devolveu ${amount} a você.`,
  },
  contact: {
    hint: 'Dúvidas? Informe a referência.',
    link: 'Falar com a loja',
  },
  find: {
    title: 'Encontrar meu pagamento',
    hint: 'Já enviou? Cole o hash da transação da sua carteira ou corretora.',
    label: 'Hash da transação',
    button: 'Verificar',
    unreadable:
      'Não há nenhum hash de transação aqui. Ele tem 64 letras e números; sua carteira o mostra nos detalhes do pagamento.',
    waiting: (amount) =>
      `Vimos: ${amount}. Aguarda a primeira confirmação; você não precisa fazer nada.`,
    confirming: (amount) =>
      `Vimos: ${amount}. A rede está confirmando; você não precisa fazer nada.`,
    confirmed: (amount) => `Chegou e está confirmado: ${amount}.`,
    gone: 'Tínhamos visto, mas a rede o substituiu ou descartou. Só conta o que a rede confirma: confira na sua carteira.',
    less: (amount, missing) => `Chegou: ${amount}. Ainda não é suficiente: falta ${missing}.`,
    more: (amount, excess) => `Chegou: ${amount}. É ${excess} a mais; peça a devolução à loja.`,
    wrongAsset: (asset) =>
      `Chegou, mas em ${asset}, que não foi o solicitado. Não se perdeu: fale com a loja e informe a referência.`,
    wrongNetwork: (network) =>
      `Este pagamento está na rede ${network}, onde não foi solicitado. Não envie mais nada: fale com a loja e informe a referência.`,
    otherNetwork:
      'Este hash é de outro tipo de rede, diferente da indicada. Confira na sua carteira por qual rede enviou e fale com a loja.',
    noMemo: (network) =>
      `Chegou pela rede ${network}, mas sem o memo ou a tag que identifica o seu pedido. Não se perdeu: fale com a loja e informe a referência e esta transação.`,
    elsewhere: 'Este pagamento não pertence a este pedido. Confira se colou o correto.',
    notFound:
      'Ainda não vemos. Se a sua carteira diz que foi enviado, confira nela a rede e o endereço e consulte de novo em alguns minutos.',
    notFoundBehind: (networks) =>
      `Não vemos, mas no momento também não vemos os pagamentos mais recentes em ${networks}. Consulte de novo um pouco mais tarde; nada se perdeu.`,
    tooOften: 'Foram muitas consultas em pouco tempo. Aguarde um minuto e tente de novo.',
  },
  error: {
    missingTitle: 'Esta página não existe',
    missingHint: 'O endereço está incompleto ou nunca foi nosso.',
    methodGone: 'Esta forma de pagamento não está mais disponível. Por favor, escolha outra.',
    hasMoney: 'Um pagamento já foi visto, por isso não é possível cancelar.',
    completed: 'Este pedido já está pago.',
    outageTitle: 'Um momento, por favor',
    outageHint:
      'Uma parte do nosso sistema não está respondendo. Nada se perdeu. Por favor, tente novamente.',
    faultTitle: 'Algo deu errado do nosso lado',
    faultHint: 'Nada se perdeu. Por favor, tente novamente; se acontecer de novo, avise a loja.',
    refusedTitle: 'Não deu certo',
    refusedHint: 'Por favor, volte e tente novamente.',
    rateAway:
      'No momento não há preço atual para esta forma de pagamento. Nada foi cobrado: escolha outra ou tente de novo em um minuto.',
    networkAway:
      'Esta rede não está respondendo no momento. Nada foi cobrado: escolha outra ou tente de novo em um minuto.',
  },
  refund: {
    title: (amount) => `Reembolso de ${amount}`,
    hint: (network) =>
      `A loja está devolvendo este dinheiro a você. Informe para onde, na rede ${network}.`,
    yourAddress: (network) => `Seu endereço ${network}`,
    lightningAddress: 'Seu endereço Lightning (nome@exemplo.com)',
    check: 'Confira com cuidado: o que foi enviado não pode ser recuperado.',
    claim: 'Enviar para lá',
    noAddress: 'Este não é um endereço desta rede. Por favor, copie-o novamente da sua carteira.',
    underWay: 'Seu reembolso está a caminho. Você pode fechar esta página.',
    completed: 'Seu reembolso foi enviado e chegou.',
    failed: 'Não foi possível enviar o reembolso. Por favor, fale com a loja.',
    address: 'Para este endereço',
    transaction: 'Transação',
  },
  sandbox: {
    title: 'Carteira de teste',
    hint: 'Faça de conta que é o pagador. Só no modo de teste, em redes simuladas.',
    payExact: 'Pagar o valor exato',
    payUnder: 'Pagar a metade',
    payOver: 'Pagar um quarto a mais',
    payParts: 'Pagar em duas partes',
    payLate: 'Pagar tarde demais',
    replace: 'Substituir o pagamento',
    reorg: 'Reorganizar',
    mine: 'Minerar um bloco',
    expire: 'Expirar agora',
    payRest: 'Pagar o restante',
    payOtherAsset: 'Pagar em outra moeda',
  },
};

import type { Texts } from './en.ts';
import { ptPaying } from './paying/pt.ts';
import { countedText, type NounForms } from './plural.ts';

const count = (number: number, forms: NounForms) => countedText('pt', number, forms);

export const pt: Texts = {
  paying: ptPaying,
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
    tax: 'Imposto',
    total: 'Valor total',
    seller: 'Vendedor',
    order: 'Referência do pagamento',
  },
  choose: {
    title: (total) => `Pagar ${total}`,
    hint: 'Escolha com o que deseja pagar.',
    networkTitle: (group) => `Pagar com ${group}`,
    networkHint: 'Escolha a rede pela qual sua carteira ou corretora faz o envio.',
    only: 'Na próxima página você verá o valor e para onde enviá-lo.',
    continue: 'Continuar',
    otherGroups: 'Outras moedas',
    back: 'Voltar ao pagamento',
    on: (network) => `pela rede ${network}`,
    timeInstant: 'confirmado em segundos',
    timeMinutes: (minutes) => `confirmado em cerca de ${minutes}`,
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
    anchorFee: (fee) => `Deste valor, ${fee} é a taxa do serviço que encaminha o pagamento.`,
    unify: 'Um só código para Bitcoin e Lightning',
  },
  wallets: {
    app: (app: string) => `Abrir em ${app}`,
    with: (wallet: string) => `Pagar com ${wallet}`,
    browser: 'Pagar com a carteira deste navegador',
    asking: (wallet: string) => `Confirme o pagamento em ${wallet}.`,
    switching: (network: string) => `A sua carteira pede para mudar para a rede ${network}.`,
    missing: (network: string) =>
      `A sua carteira não conhece a rede ${network}. Adicione-a aí ou pague com o código.`,
    poor: (account: string, held: string, needed: string) =>
      `A conta ${account} tem ${held} e são precisos ${needed}. Escolha outra conta na sua carteira.`,
    refused: 'Recusou na sua carteira. Nada foi enviado.',
    waiting: 'Já há uma pergunta à espera na sua carteira. Abra-a e responda aí.',
    failed: 'A sua carteira não conseguiu. Veja aí se algo foi enviado antes de tentar de novo.',
    sent: 'Enviado. Esta página muda assim que a rede mostrar o seu pagamento.',
    again: (wallet: string) => `Enviar de novo com ${wallet}`,
  },
  bank: {
    time: 'cerca de um dia útil',
    holder: 'Titular da conta',
    account: 'Número da conta',
    pixKey: 'Chave Pix',
    reference: 'Com esta referência',
    referenceWarning:
      'A referência faz parte do seu pagamento. Sem ela não conseguimos saber quem pagou.',
    duration: 'Uma transferência leva cerca de um dia útil. Ela vale quando quer que chegue.',
    code: 'Leia o código com o aplicativo do seu banco.',
    fees: 'Seu banco pode cobrar uma taxa. Exatamente este valor deve chegar.',
    watching:
      'Você pode fechar esta página. A loja saberá da sua transferência quando o nosso banco a registrar.',
  },
  seen: {
    title: 'Vimos o seu pagamento',
    hint: 'Você pode fechar esta página. O resto acontece automaticamente.',
    amount: 'Visto até agora',
    confirmations: (have, need) =>
      `${have} de ${count(need, { one: 'confirmação', other: 'confirmações' })}`,
    waiting: 'aguardando a primeira confirmação',
    final: 'confirmado',
    held: 'confirmado, retido por enquanto',
    heldHint:
      'A rede não está funcionando como deveria neste momento. Pagamentos maiores aguardam até que ela volte ao normal. Você não precisa fazer nada.',
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
    windowOver: 'O tempo para este preço terminou: por favor, não envie nada pelo antigo.',
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
      'Continuamos acompanhando o endereço, e o que chegar ainda será creditado. Guarde esta referência.',
    wasDue: 'Foi solicitado',
    address: 'Para o endereço',
    newPrice: 'Obter um novo preço',
    again: 'Escolher outra forma de pagamento',
    return: 'Voltar à loja',
  },
  cancelled: {
    title: 'Pagamento cancelado',
    nothing: 'Nada foi cobrado.',
    hint: 'Por favor, não envie nada ao endereço que você viu.',
    sent: 'Se você enviou algo antes, o valor ainda será creditado à loja: informe esta referência lá.',
    back: 'Voltar à loja',
  },
  trouble: {
    title: 'Estamos verificando',
    behindOver: (network) =>
      `O tempo para pagar terminou, mas no momento não conseguimos ver os pagamentos mais recentes na rede ${network}. Se você pagou, seu pagamento será encontrado. Se não, por favor não envie nada agora.`,
    behind: (network) =>
      `No momento não conseguimos ver os pagamentos mais recentes na rede ${network}. O que chegar aparecerá aqui um pouco mais tarde.`,
    replaced:
      'Um pagamento que tínhamos visto foi substituído ou retirado. Só conta o que a rede confirma.',
    wrongAsset:
      'Chegou uma moeda diferente da solicitada. Ela não se perdeu, mas não paga este pedido: fale com a loja e informe a referência.',
    reversed: 'A rede desfez um pagamento já confirmado: ele não conta mais. A loja foi avisada.',
    takenBack: 'Seu pagamento foi desfeito',
    takenBackHint:
      'A rede desfez um pagamento já confirmado. A loja foi avisada: por favor, fale com ela antes de pagar de novo.',
    rateMissing: (assets) =>
      `Não há preço atual para ${assets}, por isso não é possível escolher no momento.`,
    wrongNetwork: (amount, network) =>
      `Chegou ${amount} pela rede ${network}, onde não foi solicitado. Não se perdeu, mas não paga este pedido: fale com a loja e informe a referência.`,
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
    lessAsk: (amount) =>
      `Chegou: ${amount}. É menos do que o preço: fale com a loja e informe a referência.`,
    more: (amount, excess) => `Chegou: ${amount}. É ${excess} a mais; peça a devolução à loja.`,
    wrongAsset: (asset) =>
      `Chegou, mas em ${asset}, que não foi o solicitado. Não se perdeu: fale com a loja e informe a referência.`,
    wrongNetwork: (network) =>
      `Este pagamento está na rede ${network}, onde não foi solicitado. Não se perdeu: fale com a loja e informe a referência.`,
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
    addressPending:
      'O endereço ainda está sendo preparado. Nada foi cobrado: escolha esta forma de novo em alguns segundos.',
  },
  link: {
    amount: 'Valor',
    between: (least, most) => `De ${least} a ${most}.`,
    atLeast: (least) => `No mínimo ${least}.`,
    atMost: (most) => `No máximo ${most}.`,
    pay: 'Continuar para o pagamento',
    wrong: 'Escreva um valor como 12,50 que este link aceite.',
    off: 'Este link não está em uso neste momento.',
    over: 'O tempo deste link acabou.',
    soldOut: 'Não resta nada. Pode vagar um lugar: veja de novo daqui a uma hora.',
    closed: 'Isto não pode ser pago agora. Tente mais tarde.',
  },
  refund: {
    title: (amount) => `Reembolso de ${amount}`,
    hint: (network) =>
      `A loja está devolvendo este dinheiro a você. Informe para onde, na rede ${network}.`,
    yourAddress: (network) => `Seu endereço ${network}`,
    lightningAddress: 'Seu endereço Lightning (nome@exemplo.com), ou uma fatura deste valor exato',
    memoLabel: 'Memo, se a sua corretora pedir',
    tagLabel: 'Destination tag, se a sua corretora pedir',
    memoHint:
      'As corretoras exigem: sem ele o dinheiro pode não chegar à sua conta. Para uma carteira própria, deixe vazio.',
    memoType: 'Tipo de memo',
    check: 'Confira com cuidado: o que foi enviado não pode ser recuperado.',
    claim: 'Enviar para lá',
    next: 'Continuar',
    review: 'Está correto?',
    edit: 'Alterar',
    none: 'nenhum',
    until: 'Aberto até',
    looksLike: (forms) => `Começa com ${forms}.`,
    whereFrom: (network) =>
      `De uma carteira própria (um aplicativo ou dispositivo cujas chaves só você tem): copie o endereço de recebimento em ${network}. De uma corretora: copie o endereço de depósito exatamente desta rede.`,
    bankHint: {
      SEPA: 'O IBAN da sua conta em um banco da zona SEPA.',
      SWIFT:
        'Quatro partes separadas por ponto e vírgula: IBAN ou número da conta; BIC; nome do titular; rua, cidade, código do país.',
      PIX: 'Sua chave Pix: CPF, CNPJ, e-mail, telefone com +55 ou chave aleatória.',
    },
    noAddress: 'Este não é um endereço desta rede. Por favor, copie-o novamente da sua carteira.',
    badMemo: 'Este memo não corresponde ao tipo. Por favor, copie-o novamente da sua corretora.',
    badTag:
      'Um destination tag é um número inteiro. Por favor, copie-o novamente da sua corretora.',
    tooDear:
      'Neste momento a rede cobra por um envio muito mais do que quando este reembolso foi criado. O dinheiro continua reservado para você: por favor, volte daqui a algumas horas.',
    underWay: 'Seu reembolso está a caminho. Você pode fechar esta página.',
    rests: (when: string) =>
      `Para sua segurança, seu reembolso será enviado depois de ${when}. Você pode fechar esta página.`,
    completed: 'Seu reembolso foi enviado e chegou.',
    toClaim: (asset) =>
      `Seu reembolso foi enviado. Sua conta ainda não aceita ${asset}, por isso o dinheiro espera por você na rede: adicione ${asset} na sua carteira e depois resgate o saldo indicado abaixo.`,
    claimBefore: (when) =>
      `Resgate-o antes deste momento: ${when}. Depois a loja pode recuperá-lo.`,
    failed: 'Não foi possível enviar o reembolso. Por favor, fale com a loja.',
    address: 'Para este endereço',
    transaction: 'Transação',
    uncertain: 'O reembolso será enviado assim que a rede confirmar de novo o pagamento.',
    takenBack:
      'A rede anulou o pagamento, por isso não há nada a devolver: o dinheiro continua, ou está de novo, no lugar de onde pagou.',
  },
  paper: {
    receipt: 'Recibo',
    invoice: 'Fatura',
    date: 'Data',
    buyer: 'Comprador',
    taxId: 'Número fiscal',
    description: 'Descrição',
    amount: 'Valor',
    state: 'Situação',
    states: {
      open: 'Em aberto',
      underWay: 'Pagamento a caminho',
      partial: 'Pago em parte',
      paid: 'Pago',
      over: 'Prazo para pagar encerrado',
      cancelled: 'Cancelado',
    },
    due: 'Valor a pagar',
    howToPay: 'Como pagar',
    howToPayHint:
      'Abra este endereço ou leia o código. Lá você escolhe com o que pagar e vê o valor exato a enviar.',
    payment: (number) => `Pagamento ${number}`,
    arrived: 'Visto',
    confirmed: 'Confirmado',
    notConfirmed: 'ainda não confirmado',
    network: 'Rede',
    rate: 'Cotação',
    refund: (number) => `Reembolso ${number}`,
    refunded: 'Reembolsado',
    print: 'Você pode imprimir ou salvar esta página.',
    pdf: 'Recibo em PDF',
    toPayment: 'Ir para a página de pagamento',
    page: (page, pages) => `Página ${page} de ${pages}`,
    missingTitle: 'Ainda não há recibo',
    missingHint: 'Ele aparecerá aqui assim que o pagamento for confirmado.',
  },
  bill: {
    number: 'Número da fatura',
    dueOn: 'Vencimento',
    net: 'Valor líquido',
    vatId: 'Número de IVA',
    taxNumber: 'Número fiscal',
    delivered: 'Entrega ou serviço',
    cancellation: 'Fatura de cancelamento',
    cancels: (name, day) => `Cancela a fatura ${name} de ${day}.`,
    cancelledBy: (name) => `Esta fatura foi cancelada por ${name}.`,
    overdue: 'Vencida',
    pay: 'Pagar agora',
    payHint: 'Você escolhe com o que pagar e vê o preço deste momento.',
    underWay: 'Um pagamento desta fatura está a caminho.',
    pdf: 'Fatura em PDF',
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

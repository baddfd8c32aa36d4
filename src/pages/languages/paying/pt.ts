// Portuguese of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('pt', number, forms);

export const ptPaying: PayingTexts = {
  choose: {
    bank: 'Transferência bancária',
    recommended: 'Recomendado',
    lastUsed: 'Usado da última vez',
    fits: 'Serve neste aparelho',
    search: 'Buscar moedas e redes',
    nothing: 'Nada corresponde a isso.',
    fee: (amount) => `taxa de rede de cerca de ${amount}`,
    feeUnder: (amount) => `taxa de rede abaixo de ${amount}`,
    feeFrom: (amount) => `taxa de rede a partir de ${amount}`,
    networks: (number) => count(number, { one: 'rede', many: 'redes', other: 'redes' }),
  },
  pay: {
    showCode: 'Mostrar o código',
    enlarge: 'Ampliar o código',
    close: 'Fechar',
    noWallet: 'Sem carteira aqui? Escaneie o código com o celular.',
    compare: 'Compare na sua carteira os quatro primeiros e os quatro últimos caracteres.',
  },
  steps: {
    title: 'O que acontece com o seu pagamento',
    sent: 'Você enviou',
    seen: 'A rede já o viu',
    confirmed: 'Confirmado',
    told: 'A loja fica sabendo',
    wasTold: 'A loja já sabe',
    device: 'Continuar em outro aparelho',
    deviceHint: 'Escaneie isto com o outro aparelho: ele abre esta página lá.',
    signal: 'Som e vibração quando estiver pago',
    share: 'Compartilhar o recibo',
    calendar: 'Adicionar ao calendário',
  },
  mail: {
    title: 'Avisem-me por e-mail quando terminar',
    hint: 'Uma mensagem quando estiver pago, ou quando ainda puder fazer algo. O endereço não serve para mais nada.',
    label: 'Endereço de e-mail',
    button: 'Avisem-me',
    asked: 'Receberá um aviso por e-mail',
    again: 'Enganou-se? Indique o endereço outra vez.',
    fault: 'Indique um endereço como ann@mail.example.',
  },
  trust: {
    title: 'Este endereço está certo?',
    signed: 'Esta instalação assinou o endereço. Verifique-o, de preferência em outro aparelho:',
    check: 'Verificar o endereço',
    host: (host) =>
      `Pague somente se a barra de endereços do navegador mostrar ${host}. Quem ajuda você nunca pede as palavras da sua carteira.`,
    domain: 'Domínio verificado',
    verified: 'Este endereço foi emitido aqui',
    verifiedHint: 'Compare-o, sinal por sinal, com o que a sua carteira mostra.',
    unsigned:
      'Este endereço não foi emitido aqui, ou um sinal dele foi alterado. Não envie nada para ele.',
    key: 'Chave pública (Ed25519)',
    place: 'Endereço, ou o link de verificação que está na página de pagamento',
    memo: 'Memo ou tag, se houver',
    signature: 'Assinatura',
    signatureHint:
      'A assinatura está nesse link. Um endereço sozinho não diz nada: é a sua assinatura que mais ninguém pode fazer.',
  },
  wallets: {
    app: (app: string) => `Abrir em ${app}`,
    with: (wallet: string) => `Pagar com ${wallet}`,
    browser: 'Pagar com a carteira deste navegador',
    asking: (wallet: string) => `Confirme o pagamento em ${wallet}.`,
    switching: (network: string) => `A sua carteira pede para mudar para a rede ${network}.`,
    missing: (network: string) =>
      `A sua carteira não conhece a rede ${network}. Adicione-a aí ou pague com o código.`,
    otherNetwork: (network: string) =>
      `A sua carteira está noutra rede. Mude-a aí para a rede ${network} e tente de novo.`,
    poor: (account: string, held: string, needed: string) =>
      `A conta ${account} tem ${held} e são precisos ${needed}. Escolha outra conta na sua carteira.`,
    refused: 'Recusou na sua carteira. Nada foi enviado.',
    waiting: 'Já há uma pergunta à espera na sua carteira. Abra-a e responda aí.',
    silent: 'A sua carteira não responde. Abra-a, desbloqueie-a e tente de novo.',
    failed: 'A sua carteira não conseguiu. Veja aí se algo foi enviado antes de tentar de novo.',
    sent: 'Enviado. Esta página muda assim que a rede mostrar o seu pagamento.',
    again: (wallet: string) => `Enviar de novo com ${wallet}`,
  },
};

export const ptShop: ShopTexts = {
  title: 'Tudo para escrever à mão',
  hint: 'Uma loja de demonstração: escolha algo, finalize e pague com a carteira de testes.',
  embedded: 'Pagar sem sair da página',
  embeddedHint: (product) =>
    `${product}, numa janela sobre esta página: a página de pagamento alojada, aberta por um só script.`,
  howTo: 'Como fazer numa loja',
  payHere: 'Pagar aqui',
  states: 'Ver todos os estados da página de pagamento',
  skip: 'Ir para o conteúdo',
  shop: 'Loja',
  add: 'Adicionar ao carrinho',
  addOf: (product) => `Adicionar ao carrinho: ${product}`,
  less: (product) => `Menos um: ${product}`,
  more: (product) => `Mais um: ${product}`,
  cart: 'Carrinho',
  post: 'Correio',
  tax: 'IVA',
  total: 'Total sem IVA',
  checkOut: 'Pagar com cripto',
  empty: 'O seu carrinho está vazio.',
  look: 'Ver a loja',
  order: 'Encomenda',
  state: 'Estado no último webhook',
  none: 'ainda nenhum',
  back: 'Voltar à loja',
  webhooks: 'Webhooks recebidos',
  webhooksHint:
    'É tudo o que a loja sabe. Só acredita num webhook quando a assinatura confere, e no que tem o número de sequência mais alto.',
  nothing: 'Ainda não chegou nada. Esta página volta a perguntar sozinha.',
  verified: 'assinatura verificada: sim',
  unverified: 'assinatura verificada: não',
  noEvent: 'não é um evento',
  headers: 'Cabeçalhos',
  body: 'Corpo',
  told: {
    completed: { title: 'Obrigado! A sua encomenda está paga.', hint: 'Já a estamos a embrulhar.' },
    pending: { title: 'O seu pagamento está a caminho.', hint: 'A rede está a confirmá-lo.' },
    underpaid: {
      title: 'Ainda falta uma parte.',
      hint: 'A página de pagamento mostra como a enviar.',
    },
    expired: { title: 'Não foi pago a tempo.', hint: 'Se pagou mais tarde, conta na mesma.' },
    cancelled: { title: 'Cancelado.', hint: 'Nada foi cobrado.' },
    waiting: { title: 'À espera do pagamento.', hint: 'A loja ainda não soube de nada.' },
  },
  madeUp: 'As encomendas e os produtos são fictícios.',
  about: 'Sobre este serviço',
  products: {
    notebook: {
      name: 'Caderno pontilhado',
      about: '192 páginas que ficam planas, encadernado em linho',
    },
    pen: { name: 'Caneta de latão', about: 'Torneada de uma só peça, melhora com a idade' },
    ink: { name: 'Tinta verde-musgo', about: '50 ml de um verde que seca quase preto' },
    cards: { name: 'Postais de fetos', about: 'Oito fetos prensados, impressos à mão' },
  },
};

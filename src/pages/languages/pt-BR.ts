// What is said otherwise in Brazil: `pt` is written so that both read it, in the money and the
// numbers of Brazil.
import type { Texts } from './en.ts';
import type { SomeOf } from './filled.ts';
import type { ShopTexts } from './paying/en.ts';
import { ptShop } from './paying/pt.ts';
import { pt } from './pt.ts';

const ptBrShop: ShopTexts = {
  ...ptShop,
  embeddedHint: (product) =>
    `${product}, em uma janela sobre esta página: a página de pagamento hospedada, aberta por um só script.`,
  howTo: 'Como fazer em uma loja',
  less: (product) => `Um a menos: ${product}`,
  more: (product) => `Um a mais: ${product}`,
  tax: 'Impostos',
  total: 'Total sem impostos',
  empty: 'Seu carrinho está vazio.',
  order: 'Pedido',
  webhooksHint:
    'É tudo o que a loja sabe. Ela só acredita em um webhook quando a assinatura confere, e no que tem o número de sequência mais alto.',
  nothing: 'Ainda não chegou nada. Esta página pergunta de novo sozinha.',
  told: {
    ...ptShop.told,
    completed: { title: 'Obrigado! Seu pedido está pago.', hint: 'Já estamos embrulhando.' },
    pending: { title: 'Seu pagamento está a caminho.', hint: 'A rede está confirmando.' },
    underpaid: {
      title: 'Ainda falta uma parte.',
      hint: 'A página de pagamento mostra como enviar.',
    },
    expired: { title: 'Não foi pago a tempo.', hint: 'Se você pagou mais tarde, ainda vale.' },
    waiting: { title: 'Aguardando o pagamento.', hint: 'A loja ainda não soube de nada.' },
  },
  madeUp: 'Os pedidos e os produtos são fictícios.',
  products: {
    ...ptShop.products,
    cards: {
      name: 'Cartões-postais de samambaias',
      about: 'Oito samambaias prensadas, impressas à mão',
    },
  },
};

export const ptBr: SomeOf<Texts> = {
  ...pt,
  shop: ptBrShop,
  paying: {
    ...pt.paying,
    wallets: {
      ...pt.paying.wallets,
      app: (app) => `Abrir no ${app}`,
      asking: (wallet) => `Confirme o pagamento na carteira ${wallet}.`,
      switching: (network) => `Sua carteira está pedindo para mudar para a rede ${network}.`,
      missing: (network) =>
        `Sua carteira não conhece a rede ${network}. Adicione a rede nela ou pague com o código.`,
      otherNetwork: (network) =>
        `Sua carteira está em outra rede. Mude nela para a rede ${network} e tente novamente.`,
      poor: (account, held, needed) =>
        `A conta ${account} tem ${held}, e são necessários ${needed}. Escolha outra conta na sua carteira.`,
      refused: 'Você recusou na sua carteira. Nada foi enviado.',
      waiting: 'Já há uma pergunta esperando na sua carteira. Abra a carteira e responda nela.',
      silent: 'Sua carteira não responde. Abra e desbloqueie a carteira e tente novamente.',
      failed:
        'Sua carteira não conseguiu. Veja nela se algo foi enviado antes de tentar novamente.',
      again: (wallet) => `Enviar novamente com ${wallet}`,
      scan: 'Escaneie este código com a sua carteira ou abra uma carteira neste aparelho.',
      ended:
        'Sua carteira encerrou a conexão. Veja nela se algo foi enviado antes de tentar novamente.',
      away: 'Não foi possível acessar o WalletConnect daqui. Pague com o código da página.',
      ownWindow: 'A carteira não aparece? Abrir esta página em uma janela própria',
    },
  },
};

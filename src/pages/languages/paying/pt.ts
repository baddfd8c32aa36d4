// Portuguese of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

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
};

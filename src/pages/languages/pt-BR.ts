// What is said otherwise in Brazil: `pt` is written so that both read it, in the money and the
// numbers of Brazil.
import type { Texts } from './en.ts';
import type { SomeOf } from './filled.ts';
import { pt } from './pt.ts';

export const ptBr: SomeOf<Texts> = {
  ...pt,
  wallets: {
    ...pt.wallets,
    app: (app) => `Abrir no ${app}`,
    asking: (wallet) => `Confirme o pagamento na carteira ${wallet}.`,
    switching: (network) => `Sua carteira está pedindo para mudar para a rede ${network}.`,
    missing: (network) =>
      `Sua carteira não conhece a rede ${network}. Adicione a rede nela ou pague com o código.`,
    poor: (account, held, needed) =>
      `A conta ${account} tem ${held}, e são necessários ${needed}. Escolha outra conta na sua carteira.`,
    refused: 'Você recusou na sua carteira. Nada foi enviado.',
    waiting: 'Já há uma pergunta esperando na sua carteira. Abra a carteira e responda nela.',
    failed: 'Sua carteira não conseguiu. Veja nela se algo foi enviado antes de tentar novamente.',
    again: (wallet) => `Enviar novamente com ${wallet}`,
  },
};

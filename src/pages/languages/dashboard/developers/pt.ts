import type { DeveloperTexts } from './en.ts';

export const ptDevelopers: DeveloperTexts = {
  requests: {
    title: 'Pedidos',
    hint: 'O que os seus programas pediram à API nos últimos sete dias. Os segredos estão cortados.',
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
  },
};

import type { DeveloperTexts } from './en.ts';

export const esDevelopers: DeveloperTexts = {
  requests: {
    title: 'Solicitudes',
    hint: 'Lo que sus programas pidieron a la API en los últimos siete días. Los secretos están recortados.',
    missed: (count: string) =>
      `Faltan ${count} solicitudes: llegaron demasiadas a la vez o no se pudieron escribir.`,
    status: 'Respuesta',
    succeeded: 'Éxito (2xx)',
    refused: 'Rechazada (4xx)',
    failed: 'Fallida (5xx)',
    path: 'La ruta empieza por',
    key: 'Clave de API',
    at: 'Hora',
    duration: 'Duración',
    address: 'Desde',
    asked: 'Lo que se pidió',
    answered: 'Lo que se respondió',
    bytes: (count: string) => `${count} bytes`,
    unproven: 'Quien lo envió no probó la clave, así que no se guarda nada de lo enviado.',
    notKept: 'El cuerpo no se guarda: no es JSON o es demasiado largo.',
  },
  testEvent: {
    title: 'Probar un receptor',
    hint: 'Un evento firmado con datos inventados va a un receptor. Su texto dice "test": true y nada de ello ha ocurrido.',
    receiver: 'Receptor',
    kind: 'Tipo',
    send: 'Enviar un evento de prueba',
    mark: 'Evento de prueba: nada de ello ha ocurrido.',
  },
  eventKinds: {
    title: 'Tipos de eventos',
    hint: 'Cuándo se avisa de cada uno y cómo es. Los datos son inventados.',
    example: 'Ejemplo',
  },
};

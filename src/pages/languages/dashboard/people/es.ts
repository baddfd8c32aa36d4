// Spanish of people.

import type { PeopleTexts } from './en.ts';

export const esPeople: PeopleTexts = {
  people: {
    mailed: {
      PENDING: 'Correo escrito, en camino desde',
      SENT: 'Enviado por correo',
      PARKED: 'El correo fue rechazado',
    },
    title: 'Personas',
    who: 'Quién puede hacer qué',
    you: 'usted',
    role: 'Rol',
    change: 'Cambiar',
    invite: 'Invitar a alguien',
    name: 'Nombre',
    email: 'Correo electrónico',
    submit: 'Crear la invitación',
    link: 'Entregue este enlace a la persona. Sirve una sola vez, durante siete días, y solo se muestra ahora.',
    open: 'Invitaciones pendientes',
    until: 'Válida hasta',
    withdraw: 'Retirar',
  },
};

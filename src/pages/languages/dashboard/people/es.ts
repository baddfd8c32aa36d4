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
  signInLink: {
    send: 'Enviarme un enlace',
    sent: 'Un enlace está en camino',
    sentHint:
      'Si alguien es conocido aquí con este correo, recibirá enseguida un mensaje con un enlace. Funciona una vez, durante quince minutos.',
    title: 'Iniciar sesión con un enlace',
    hint: 'Este enlace inicia su sesión una vez. El dinero, las claves y las personas piden igualmente su contraseña o su llave de acceso.',
    gone: 'Este enlace ya se usó o es demasiado antiguo. Pida otro.',
  },
  trail: {
    title: 'Registro',
    hint: 'Lo que hicieron las personas y las claves de esta tienda, lo que se hizo con ella en la línea de órdenes y lo que el servidor hizo por ella, con lo que se anotó en cada acto. Nadie lo cambia ni lo borra.',
    aboutHint: 'transfer:ID; o transfer, key, beneficiary, person: todo lo de esa clase',
    sentFrom: 'Desde dónde',
    asCsv: 'Estos como tabla (CSV)',
    asJson: 'Estos como JSON',
  },
  keyboard: {
    title: 'Teclado',
    search: 'Buscar',
    help: 'Estas teclas',
    on: 'Usar estas teclas en este navegador',
    close: 'Cerrar',
  },
};

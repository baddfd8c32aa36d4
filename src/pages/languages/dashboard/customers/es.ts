// Spanish of customers.

import type { CustomersTexts } from './en.ts';

export const esCustomers: CustomersTexts = {
  customers: {
    title: 'Clientes',
    one: 'Cliente',
    find: 'El correo, el nombre o la empresa empieza por',
    none: 'Aún no hay clientes. Su tienda los crea o los nombra con un cobro.',
    noneFound: 'Nadie se llama así.',
    more: 'Hay más: escriba más del nombre.',
    fields: {
      email: 'Correo electrónico',
      firstname: 'Nombre',
      lastname: 'Apellidos',
      company: 'Empresa',
      adr1: 'Dirección',
      adr2: 'Dirección, segunda línea',
      zip: 'Código postal',
      city: 'Ciudad',
      countrycode: 'País',
      phonenumber: 'Teléfono',
      taxid: 'Número fiscal',
      note: 'Nota',
    },
    history: 'Lo que se compró',
    noHistory: 'Aún no se compró nada.',
    paid: 'Pagado',
    refunded: 'Devuelto',
    addresses: 'Direcciones conocidas',
    noAddresses:
      'Ninguna aún. Se conoce una dirección si algo se devolvió a ella; quién envió un pago no lo sabe nadie.',
    asJson: 'Todo como JSON',
    asCsv: 'Compras como CSV',
    allAsCsv: 'Todos como CSV',
    allAsJson: 'Todos como JSON',
    erase: 'Borrar este cliente',
    eraseHint:
      'Nombre, direcciones, nota y todo lo personal desaparece para siempre. Los cobros y los libros guardan solo la referencia, y los datos propios de un cobro se quedan. Los correos enviados se olvidan a los 90 días.',
    sure: 'Sí, para siempre',
    notSure: 'Marque la casilla para decir que está seguro.',
    erased: 'El cliente fue borrado.',
  },
};

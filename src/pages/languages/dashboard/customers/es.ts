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
  merging: {
    title: 'Unir con otro registro',
    hint: '¿Está aquí dos veces el mismo cliente? Busque el otro registro: los dos se muestran uno junto a otro antes de que pase nada.',
    look: 'Buscar',
    pairHint:
      'Lo que está en negrita se queda. Los cobros, pagos y direcciones conocidas de ambos se ven juntos; la otra referencia nombra desde entonces a este cliente, también para sus programas.',
    stays: 'Se queda',
    other: 'Pasa a formar parte de él',
    goes: 'se va para siempre',
    turn: 'Debe quedarse el otro',
    forGood:
      'No se puede deshacer: lo que se va no se guarda en ninguna parte, y los dos ya no se pueden separar.',
    merge: 'Unirlos',
    changed: 'Uno de los dos ha cambiado desde que miró. Mire otra vez.',
    most: 'Este cliente ya tiene tantas otras referencias como se guardan.',
    names: 'Otras referencias',
    done: 'Los dos registros ahora son uno.',
  },
};

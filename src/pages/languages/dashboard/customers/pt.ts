// Portuguese of customers.

import type { CustomersTexts } from './en.ts';

export const ptCustomers: CustomersTexts = {
  customers: {
    title: 'Clientes',
    one: 'Cliente',
    find: 'O e-mail, o nome ou a empresa começa com',
    none: 'Ainda não há clientes. A sua loja os cria ou os cita em um pagamento.',
    noneFound: 'Ninguém se chama assim.',
    more: 'Há mais: escreva mais do nome.',
    fields: {
      email: 'E-mail',
      firstname: 'Nome',
      lastname: 'Sobrenome',
      company: 'Empresa',
      adr1: 'Endereço',
      adr2: 'Endereço, segunda linha',
      zip: 'CEP',
      city: 'Cidade',
      countrycode: 'País',
      phonenumber: 'Telefone',
      taxid: 'Número fiscal',
      note: 'Nota',
    },
    history: 'O que foi comprado',
    noHistory: 'Nada foi comprado ainda.',
    paid: 'Pago',
    refunded: 'Devolvido',
    addresses: 'Endereços conhecidos',
    noAddresses:
      'Nenhum ainda. Um endereço é conhecido se algo foi devolvido a ele; quem enviou um pagamento ninguém fica sabendo.',
    asJson: 'Tudo como JSON',
    asCsv: 'Compras como CSV',
    allAsCsv: 'Todos como CSV',
    allAsJson: 'Todos como JSON',
    erase: 'Apagar este cliente',
    eraseHint:
      'Nome, endereços, nota e tudo o que é pessoal some para sempre. Os pagamentos e os livros guardam só a referência, e os dados próprios de um pagamento ficam. E-mails enviados são esquecidos após 90 dias.',
    sure: 'Sim, para sempre',
    notSure: 'Marque a caixa para dizer que tem certeza.',
    erased: 'O cliente foi apagado.',
  },
  merging: {
    title: 'Unir a outro registro',
    hint: 'O mesmo cliente está aqui duas vezes? Procure o outro registro: os dois são mostrados lado a lado antes de qualquer coisa.',
    look: 'Procurar',
    pairHint:
      'O que está em negrito fica. Cobranças, pagamentos e endereços conhecidos dos dois passam a ser listados juntos; a outra referência passa a indicar este cliente, também para os seus programas.',
    stays: 'Fica',
    other: 'Passa a fazer parte dele',
    goes: 'vai embora de vez',
    turn: 'O outro deve ficar',
    forGood:
      'Não é possível desfazer: o que vai embora não é guardado em lugar nenhum, e os dois não podem mais ser separados.',
    merge: 'Unir',
    changed: 'Um dos dois mudou desde que você olhou. Olhe de novo.',
    most: 'Este cliente já tem tantas outras referências quantas são guardadas.',
    names: 'Outras referências',
    done: 'Os dois registros agora são um só.',
  },
};

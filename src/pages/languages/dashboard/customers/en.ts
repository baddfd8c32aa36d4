// English of customers: says which texts there are.

export const enCustomers = {
  customers: {
    title: 'Customers',
    one: 'Customer',
    find: 'E-mail address, name or company begins with',
    none: 'There are no customers yet. Your shop makes them, or names them with a checkout.',
    noneFound: 'Nobody is called like that.',
    more: 'There are more: write more of the name.',
    fields: {
      email: 'E-mail address',
      firstname: 'First name',
      lastname: 'Last name',
      company: 'Company',
      adr1: 'Address',
      adr2: 'Address, second line',
      zip: 'Postal code',
      city: 'City',
      countrycode: 'Country',
      phonenumber: 'Telephone',
      taxid: 'Tax number',
      note: 'Note',
    },
    history: 'What was bought',
    noHistory: 'Nothing was bought yet.',
    paid: 'Paid',
    refunded: 'Given back',
    addresses: 'Known addresses',
    noAddresses:
      'None yet. An address is known where something was given back to it; who sent a payment nobody is told.',
    asJson: 'Everything as JSON',
    asCsv: 'What was bought as CSV',
    allAsCsv: 'All as CSV',
    allAsJson: 'All as JSON',
    erase: 'Erase this customer',
    eraseHint:
      'Name, addresses, note and everything else that is personal goes for good. Checkouts and the ledger keep the reference alone, and your own data of a checkout stays. Mails that were sent are forgotten after 90 days.',
    sure: 'Yes, for good',
    notSure: 'Tick the box to say that you are sure.',
    erased: 'The customer was erased.',
  },
  merging: {
    title: 'Merge with another record',
    hint: 'Is the same customer here twice? Look for the other record: both are shown side by side before anything happens.',
    look: 'Look for it',
    pairHint:
      'What is in bold stays. Checkouts, payments and known addresses of both are listed together; the other reference names this customer from then on, also for your programs.',
    stays: 'Stays',
    other: 'Becomes part of it',
    goes: 'goes for good',
    turn: 'The other one is to stay',
    forGood:
      'This cannot be undone: what goes is not kept anywhere, and the two cannot be told apart again.',
    merge: 'Merge them',
    changed: 'One of the two has changed since you looked. Look again.',
    most: 'This customer has as many other references as are kept.',
    names: 'Other references',
    done: 'The two records are one now.',
  },
};

export type CustomersTexts = typeof enCustomers;

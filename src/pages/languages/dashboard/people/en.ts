// English of people: says which texts there are.

export const enPeople = {
  people: {
    mailed: {
      PENDING: 'Mail written, on its way since',
      SENT: 'Mailed',
      PARKED: 'The mail was refused',
    },
    title: 'People',
    who: 'Who may do what',
    you: 'you',
    role: 'Role',
    change: 'Change',
    invite: 'Invite somebody',
    name: 'Name',
    email: 'E-mail address',
    submit: 'Make the invitation',
    link: 'Give this link to the person. It works once, for seven days, and is shown this once.',
    open: 'Open invitations',
    until: 'Works until',
    withdraw: 'Withdraw',
  },
  trail: {
    title: 'Trail',
    hint: 'What people and keys of this shop did, what was done with it at the command line, and what the server did for it, with what was written with each act. Nobody changes or removes it.',
    aboutHint: 'transfer:ID; or transfer, key, beneficiary, person: all of that kind',
    sentFrom: 'From where',
    asCsv: 'These as a table (CSV)',
    asJson: 'These as JSON',
  },
  keyboard: {
    title: 'Keyboard',
    search: 'Search',
    help: 'These keys',
    on: 'Use these keys in this browser',
    close: 'Close',
  },
};

export type PeopleTexts = typeof enPeople;

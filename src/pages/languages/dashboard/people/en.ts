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
  signInLink: {
    send: 'Send me a link',
    sent: 'A link is on its way',
    sentHint:
      'If somebody is known here by this address, he has a mail with a link in a moment. It works once, for fifteen minutes.',
    title: 'Sign in by link',
    hint: 'This link signs you in, once. Money, keys and people ask for your password or passkey all the same.',
    gone: 'This link was used or is too old. Ask for another one.',
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

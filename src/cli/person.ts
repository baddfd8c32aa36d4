// People who sign in to the dashboard, from the command line: how the first one comes, and how one
// ends whom nobody can end in the dashboard.

import { Refusal } from '#base/refusal.ts';
import { endPerson } from '#staff/colleagues.ts';
import { invite } from '#staff/invitation.ts';
import { findPersonByEmail, listPeople, readEmail } from '#staff/person.ts';
import { STAFF_ROLES } from '#staff/role.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  onePositional,
  textOption,
  type Values,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

export const personInvite: Command = {
  name: 'person invite',
  summary: 'make a link by which somebody signs in to the dashboard, shown once',
  usage: `EMAIL [--name TEXT] [--role ${STAFF_ROLES.join('|')}] [--merchant ID] [--operator] ${BY_USAGE}`,
  options: {
    ...BY_OPTION,
    name: { type: 'string' },
    role: { type: 'string' },
    merchant: { type: 'string' },
    operator: { type: 'boolean' },
  },
  async run(context, { positionals, values }) {
    const email = onePositional(positionals, 'the e-mail address');
    const name = textOption(values, 'name') ?? email;
    const isOperator = values.operator === true;
    const role = roleOption(values);
    if (role === undefined && !isOperator) {
      throw new Refusal('invalid', 'usage', ['--role or --operator: one of them is wanted']);
    }
    const app = await context.openApp();
    const membership =
      role === undefined ? undefined : { merchantId: await chooseMerchant(app, values), role };
    const asked = { email, name, isOperator, membership };
    const { token, invitation } = await invite(app, whoOf(values), asked);
    const link = new URL(`/dashboard/invitation/${token}`, app.publicUrl).href;
    const expiresAt = invitation.expiresAt.toString();
    return {
      text: `${link}\nIt works once, until ${expiresAt}.`,
      json: { link, email: invitation.email, role: role ?? null, isOperator, expiresAt },
    };
  },
};

function roleOption(values: Values) {
  const given = textOption(values, 'role')?.toUpperCase();
  if (given === undefined) return undefined;
  const role = STAFF_ROLES.find((one) => one === given);
  if (role !== undefined) return role;
  throw new Refusal('invalid', 'usage', [`--role: must be one of ${STAFF_ROLES.join(', ')}`]);
}

export const personList: Command = {
  name: 'person list',
  summary: 'show who signs in to the dashboard, and what each may',
  usage: '',
  options: {},
  async run(context) {
    const people = await listPeople((await context.openApp()).db);
    const lines = people.map(({ email, name, isOperator, memberships }) => {
      const may = memberships.map(({ merchantId, role }) => `${role} of ${merchantId}`);
      return [email, name, ...(isOperator ? ['operator'] : []), ...may].join('  ');
    });
    const text = lines.length === 0 ? 'Nobody yet: npx quittance person invite' : lines.join('\n');
    return { text, json: { people } };
  },
};

export const personEnd: Command = {
  name: 'person end',
  summary: 'end every way in of a person for good; the trail keeps the name',
  usage: `EMAIL ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const email = readEmail(onePositional(positionals, 'the e-mail address'));
    const app = await context.openApp();
    const person = await findPersonByEmail(app.db, email);
    if (person === undefined) throw new Refusal('missing', 'person', `nobody signs in as ${email}`);
    await endPerson(app, { actor: whoOf(values), personId: person.id });
    return { text: `${email} has no way in any more.`, json: { email, ended: true } };
  },
};

// Where the pages of an installation are.

import { Refusal } from '#base/refusal.ts';
import {
  openRemote,
  PROFILE_EXPLAINED,
  PROFILE_OPTION,
  PROFILE_USAGE,
  type RemoteCommand,
} from './remote-command.ts';

const PAGES: Readonly<Record<string, string>> = {
  dashboard: '/dashboard',
  docs: '/docs',
  health: '/health',
};

export const openPage: RemoteCommand = {
  name: 'open',
  summary: 'print where a page is: the dashboard, the manual, a checkout; --browser shows it',
  usage: `dashboard | docs | health | checkout ID [--browser] ${PROFILE_USAGE}`,
  options: { ...PROFILE_OPTION, browser: { type: 'boolean' } },
  choices: [...Object.keys(PAGES), 'checkout'],
  explains: { '--browser': 'show it in a browser, too', ...PROFILE_EXPLAINED },
  async run(context, { positionals, values }) {
    const { client } = openRemote(context, values);
    const [page = 'dashboard', id, ...rest] = positionals;
    const path = PAGES[page];
    const isRight = rest.length === 0 && (path === undefined) === (id !== undefined);
    if (!isRight || (path === undefined && page !== 'checkout')) {
      const known = [...Object.keys(PAGES), 'checkout ID'].join(', ');
      throw new Refusal('invalid', 'usage', [
        `there is no page ${positionals.join(' ')}; there are: ${known}`,
      ]);
    }
    let url = `${client.url}${path}`;
    if (id !== undefined) {
      const { json } = await client.get('/checkout', { id });
      url = String(json.checkout?.hostedCheckoutUrl);
    }
    if (values.browser === true) context.showInBrowser(url);
    return { text: url, json: { url } };
  },
};

// What the operator reads when the service is up: where everything is, and on the first start a key
// and a line to paste.

import { basicValue } from '#access/api-key.ts';
import type { ProxySeen } from '#installation/installation.ts';
import type { Config } from './config.ts';
import { type FirstRun, firstKeyFile } from './first-run.ts';
import type { OpenDatabase } from './open-database.ts';
import { proxyAdvice } from './proxy-advice.ts';

type WelcomeFacts = {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly firstRun: FirstRun;
  readonly port: number;
  /** A person at a terminal reads it, and no log. */
  readonly isSeen: boolean;
  /** Noted by a server before this start. */
  readonly proxySeen: ProxySeen | undefined;
};

export function welcome(facts: WelcomeFacts): string {
  const { config, database, port } = facts;
  const here = config.publicUrl.replace(/:0$/, `:${port}`);
  const lines = [
    '',
    `Quittance is serving at ${here}`,
    '',
    `  API        ${here}/api/v1`,
    `  health     ${here}/health`,
    ...(config.demo ? [`  demo shop  ${here}/demo`] : []),
    `  database   ${database.description}`,
    `  data       ${config.dataDirectory}`,
    '',
  ];
  const advice = proxyAdvice(config, facts.proxySeen);
  if (advice !== undefined) lines.push(`  proxy      ${advice}`, '');
  lines.push(...keyLines(facts, here));
  lines.push('Stop with Ctrl-C.', '');
  return lines.join('\n');
}

function keyLines({ config, firstRun, isSeen }: WelcomeFacts, here: string): string[] {
  const { merchantName, testKey, secret } = firstRun;
  const head = [`  merchant   ${merchantName}`, `  test key   ${testKey ?? '(none)'}`];
  if (secret === undefined || testKey === undefined) {
    return [...head, '  new key    npx quittance key create --environment test', ''];
  }
  const file = firstKeyFile(config.dataDirectory);
  if (!isSeen) return [...head, `  secret     in ${file}, which only you can read`, ''];
  return [
    ...head,
    `  secret     ${secret}   (shown this once, kept in ${file})`,
    '',
    ...(config.sandbox
      ? ['Create a checkout and open the url it answers with:', '', curlLine(here, testKey, secret)]
      : ['Test keys find nothing to try until you set SANDBOX=on.']),
    '',
  ];
}

/** Test keys accept X-Basic, a static value: enough to try it by hand. */
function curlLine(url: string, key: string, secret: string): string {
  const body = {
    charge: {
      billingCurrency: 'EUR',
      lineItems: [{ description: 'A good book', netAmount: '19.90' }],
    },
  };
  const header = `X-Basic: ${basicValue(key, secret)}`;
  return `curl -s ${url}/api/v1/checkout/hosted -H '${header}' -d '${JSON.stringify(body)}'`;
}

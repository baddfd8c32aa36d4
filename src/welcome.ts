// What the operator reads when the service is up: where everything is, and on the first start a key
// and a line to paste.

import { basicValue } from '#merchant/api-key-secret.ts';
import type { Config } from './config.ts';
import type { FirstRun } from './first-run.ts';
import type { OpenDatabase } from './open-database.ts';

export type WelcomeFacts = {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly firstRun: FirstRun;
  readonly port: number;
};

export function welcome({ config, database, firstRun, port }: WelcomeFacts): string {
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
  if (firstRun.secret !== undefined && firstRun.testKey !== undefined) {
    lines.push(
      `  merchant   ${firstRun.merchantName}`,
      `  test key   ${firstRun.testKey}`,
      `  secret     ${firstRun.secret}   (shown this once)`,
      '',
      'Create a checkout and open the url it answers with:',
      '',
      curlLine(here, firstRun.testKey, firstRun.secret),
      '',
    );
  } else {
    lines.push(
      `  merchant   ${firstRun.merchantName}`,
      `  test key   ${firstRun.testKey ?? '(none)'}`,
      '  new key    npx quittance key create --environment test',
      '',
    );
  }
  lines.push('Stop with Ctrl-C.', '');
  return lines.join('\n');
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

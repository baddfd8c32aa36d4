import { RpcFailure, requireFields } from '#networks/answer-fields.ts';
import { type HttpClient, type HttpLimits, parseAnswer } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';

export type ElectrumParams = Readonly<Record<string, string | number | boolean>>;

/** One command of an Electrum daemon. @throws RpcFailure when it says no. @throws Outage */
export async function askElectrum(
  http: HttpClient,
  method: string,
  params: ElectrumParams,
  limits: HttpLimits = {},
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: method, method, params });
  const { what } = http;
  const answer = await http.ask({ body, ...limits });
  if (answer.status === 401 || answer.status === 403) {
    throw nodeOutage(what, 'the node refuses the user and password');
  }
  const { id, result, error } = requireFields(parseAnswer(http, answer), 'the answer');
  if (error !== undefined && error !== null) {
    const { code, message } = requireFields(error, 'the error');
    throw new RpcFailure(method, typeof code === 'number' ? code : 0, String(message));
  }
  if (answer.status !== 200 || id !== method || result === undefined) {
    throw nodeOutage(what, `the node left ${method} unanswered (HTTP ${answer.status})`);
  }
  return result;
}

/** The same, where a no is as bad as no answer. @throws Outage */
export async function callElectrum(
  http: HttpClient,
  method: string,
  params: ElectrumParams = {},
): Promise<unknown> {
  try {
    return await askElectrum(http, method, params);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    throw nodeOutage(http.what, `the node refuses ${method}: ${error.said}`);
  }
}

// From the parameters of a method to a request, and from its answer to what is handed back.
import { queryText, stringifyExact } from './exact-json.ts';
import type { CallOptions } from './options.ts';
import { type FetchedPage, Pages } from './pages.ts';
import { type ApiAnswer, type ApiRequest, type ApiTransport, jsonOf } from './transport.ts';

/** One endpoint as a method: clients/README.md says what each field means. */
export type Endpoint = {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly auth: ApiRequest['auth'];
  readonly wrap: string | null;
  readonly returns: string | null;
  readonly pages: string | null;
};

type Parameters = Readonly<Record<string, unknown>>;

/** What the classes of resources are made over. */
export class Caller {
  readonly transport: ApiTransport;

  constructor(transport: ApiTransport) {
    this.transport = transport;
  }

  async call<Answer>(
    endpoint: Endpoint,
    parameters: object,
    options?: CallOptions,
  ): Promise<Answer> {
    const answer = jsonOf(await this.send(endpoint, parameters, options));
    return (endpoint.returns === null ? answer : answer[endpoint.returns]) as Answer;
  }

  list<Item>(endpoint: Endpoint, parameters: object, options?: CallOptions): Pages<Item> {
    return new Pages(async (cursor): Promise<FetchedPage<Item>> => {
      const more = cursor === undefined ? {} : { cursor };
      const answer = await this.send(endpoint, { ...parameters, ...more }, options);
      const json = jsonOf(answer);
      const { nextCursor } = json as { nextCursor: string | null };
      const items = endpoint.pages?.split('.').reduce((value, name) => inside(value, name), json);
      return { items: items as unknown as Item[], nextCursor, requestId: answer.requestId };
    });
  }

  send(endpoint: Endpoint, parameters: object, options?: CallOptions): Promise<ApiAnswer> {
    return this.transport.send(requestOf(endpoint, { ...parameters }), options);
  }
}

function inside(value: Record<string, unknown>, name: string): Record<string, unknown> {
  return value[name] as Record<string, unknown>;
}

function requestOf(endpoint: Endpoint, given: Parameters): ApiRequest {
  const { method, auth, wrap } = endpoint;
  const inPath = endpoint.path.includes('{id}');
  const { id, ...withoutId } = given;
  const path = inPath
    ? endpoint.path.replace('{id}', encodeURIComponent(String(id)))
    : endpoint.path;
  const parameters = inPath ? withoutId : given;
  if (method !== 'GET') {
    const body = stringifyExact(wrap === null ? parameters : { [wrap]: parameters });
    return { method, path, query: '', body, auth };
  }
  const heldSeconds = Number(parameters.wait ?? 0) || 0;
  return { method, path, query: queryOf(parameters), body: '', auth, heldSeconds };
}

/** An object as `meta` becomes one parameter for each of its names: `meta.order`. */
function queryOf(parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object' && !(value instanceof Date)) {
      for (const [inner, one] of Object.entries(value)) {
        query.set(`${name}.${inner}`, queryText(`${name}.${inner}`, one));
      }
    } else query.set(name, queryText(name, value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

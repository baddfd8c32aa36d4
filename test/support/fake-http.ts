// A client that asks nobody: what it answers is told by the test.
import type { HttpAnswer, HttpClient, HttpQuestion } from '#networks/http-client.ts';

type Told = { readonly status?: number; readonly body: unknown };

export function fakeHttp(answer: (question: HttpQuestion) => Told): HttpClient {
  return {
    what: 'live:LIGHTNING',
    whom: 'the node',
    host: 'node.example',
    async ask(question): Promise<HttpAnswer> {
      const { status = 200, body } = answer(question);
      // Of what cannot be in JSON (undefined) there is no text.
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body) ?? '') };
    },
    listen: async () => undefined,
    close: () => undefined,
  };
}

// The dated version that a client names in each call: its own, unless it is told another.
import type { TestApi } from '#test/support/test-api.ts';
import { FIRST_VERSION, LATEST_VERSION, VERSION_HEADER } from '#versions/api-version.ts';
import { errorOf, exchange, GET, json, POST, type StoryFile, USUAL, WITHOUT_KEY } from './story.ts';

const UNKNOWN = '2020-01-01';

export async function versionStories(api: TestApi): Promise<StoryFile> {
  await exchange(api, POST('/webhook-endpoint', { url: 'https://shop.example/versions' }));
  const list = (version: string) =>
    exchange(api, GET('/webhook-endpoints'), { [VERSION_HEADER]: version });
  const [newest, first, unknown] = [
    await list(LATEST_VERSION),
    await list(FIRST_VERSION),
    await list(UNKNOWN),
  ];
  const call = { method: 'webhookEndpoints.list', arguments: {} };
  const common = { ...USUAL, ...WITHOUT_KEY, call };
  return {
    stories: [
      {
        ...{ ...common, name: 'a client names the version that it was made for' },
        exchanges: [newest],
        outcome: { items: json(newest.answer).webhookEndpoints as unknown[] },
      },
      {
        ...{ ...common, name: 'a version that is given is named, and its names are handed back' },
        ...{ apiVersion: FIRST_VERSION, version: FIRST_VERSION },
        exchanges: [first],
        outcome: { items: json(first.answer).webhookEndpoints as unknown[] },
      },
      {
        ...{ ...common, name: 'a version that the service does not know is an error' },
        ...{ apiVersion: UNKNOWN, version: UNKNOWN },
        exchanges: [unknown],
        outcome: { error: errorOf(unknown.answer) },
      },
    ],
  };
}

// All stories by what they are about, with answers of a service whose time stands still.
import { openTestApi } from '#test/support/test-api.ts';
import { clockStories } from './clock-stories.ts';
import { errorStories } from './error-stories.ts';
import { idempotencyStories } from './idempotency-stories.ts';
import { pagingStories } from './paging-stories.ts';
import { retryDelays, retryStories } from './retry-stories.ts';
import { errorCodes, type Story, type StoryFile } from './story.ts';
import { versionStories } from './version-stories.ts';
import { waitingStories } from './waiting-stories.ts';

export async function storyFiles(): Promise<Readonly<Record<string, object>>> {
  const api = await openTestApi();
  try {
    const paging = inOrder(await pagingStories(api));
    const errors = inOrder(await errorStories(api));
    return {
      paging,
      errors: { codes: errorCodes(), ...errors },
      idempotency: inOrder(await idempotencyStories(api)),
      retries: { delays: retryDelays(), ...inOrder(await retryStories(api)) },
      clock: inOrder(await clockStories(api)),
      waiting: inOrder(await waitingStories(api)),
      versions: inOrder(await versionStories(api)),
    };
  } finally {
    await api.close();
  }
}

/** The name of a story first, its outcome last. */
function inOrder({ stories }: StoryFile): StoryFile {
  return {
    stories: stories.map(
      ({ name, call, maxRetries, idempotencyKey, outcome, ...rest }): Story => ({
        ...{ name, call, maxRetries, idempotencyKey },
        ...rest,
        outcome,
      }),
    ),
  };
}

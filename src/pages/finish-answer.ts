// What is done to every answer on its way out, whichever route gave it.
import type { Context, Next } from 'hono';
import { compressAnswer } from './compress-answer.ts';
import { robotsTag } from './search-engines.ts';

export async function finishAnswer(context: Context, next: Next): Promise<void> {
  await next();
  const tag = robotsTag(context.req.header('user-agent') ?? '');
  if (tag !== undefined) context.res.headers.set('X-Robots-Tag', tag);
  const answer = await compressAnswer(context.req.raw, context.res);
  if (answer === context.res) return;
  // Else the headers of the old answer are added to those of the new one.
  context.res = undefined;
  context.res = answer;
}

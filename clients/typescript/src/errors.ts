/** What went wrong, as far as it is known. */
export type ErrorFacts = {
  /** Of the answer; null where there was none. */
  readonly status?: number | null;
  /** The stable code: of the service (`X-Error-Code`), or of this library. */
  readonly code?: string | null;
  /** One text for each fault, as the service gave them. */
  readonly errors?: readonly string[];
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  /** The same again may succeed. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
};

/** Every error of this library is one. */
export class QuittanceError extends Error {
  readonly status: number | null;
  readonly code: string | null;
  readonly errors: readonly string[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly retryable: boolean;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.status = facts.status ?? null;
    this.code = facts.code ?? null;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    this.retryable = facts.retryable ?? false;
  }
}

/** 400, 405, 408, 413, 422, 431: the request is wrong; `errors` has one entry for each fault. */
export class InvalidRequestError extends QuittanceError {}
/** 401: key, secret or time are wrong. */
export class AuthenticationError extends QuittanceError {}
/** 403: the key or the address may not do this. */
export class ForbiddenError extends QuittanceError {}
/** 404: there is no such thing in this account and environment. */
export class NotFoundError extends QuittanceError {}
/** 409: the state of the thing forbids it; `code` says which. */
export class ConflictError extends QuittanceError {}
/** 429: too many calls; `retryAfterSeconds` says when the next is welcome. */
export class RateLimitError extends QuittanceError {}
/** 500 and above: the fault of the service, or something it needs is away. */
export class ServerError extends QuittanceError {}
/** No answer came; whether the request arrived is not known. */
export class NetworkError extends QuittanceError {}
/** No answer came in time; whether the request arrived is not known. */
export class RequestTimeoutError extends QuittanceError {}
/** A checkout did not reach the state that was waited for in time. */
export class WaitTimeoutError extends QuittanceError {}

export type WebhookFault =
  | 'secret_malformed'
  | 'header_missing'
  | 'header_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'payload_malformed';

/** What came is no webhook of the service: answer 400 and do nothing. */
export class WebhookVerificationError extends QuittanceError {
  declare readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message, { code });
  }
}

const BY_STATUS: Readonly<Record<number, typeof QuittanceError>> = {
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};
const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504];
const RETRIED_CODES = ['idempotency_key_running', 'signature_used'];

/** The error for an answer that is no success. `text` is its body. */
export function errorOfAnswer(status: number, headers: Headers, text: string): QuittanceError {
  const requestId = headers.get('x-request-id');
  const errors = errorsOf(text);
  if (errors === undefined || status < 400) return malformedAnswer(status, requestId);
  const code = headers.get('x-error-code');
  const facts = {
    ...{ status, code, errors, requestId },
    retryAfterSeconds: retryAfterOf(headers),
    retryable: RETRIED_STATUSES.includes(status) || RETRIED_CODES.includes(code ?? ''),
  };
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : InvalidRequestError);
  return new Class(`${errors.join('; ')} (${[status, code].join(' ').trimEnd()})`, facts);
}

/** The body is not what the service writes: a proxy in between, or another server. */
export function malformedAnswer(status: number, requestId: string | null): QuittanceError {
  const retryable = RETRIED_STATUSES.includes(status);
  const facts = { status, code: 'answer_malformed', requestId, retryable };
  const message = `the answer (${status}) is none of the service: check baseUrl and proxies`;
  return status >= 500 ? new ServerError(message, facts) : new QuittanceError(message, facts);
}

function errorsOf(text: string): string[] | undefined {
  try {
    const { errors } = JSON.parse(text) as { errors?: unknown };
    const isList = Array.isArray(errors) && errors.every((one) => typeof one === 'string');
    return isList ? errors : undefined;
  } catch {
    return undefined;
  }
}

function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}

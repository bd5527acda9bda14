import type { DataReply, Json, Interceptor } from './interceptor.js';

export const operation = 'getCurrencyExchange';

/** Changes what is answered for an hour of the exchange: the id that was asked for, and the realm. */
export const hours = (
  seam: Interceptor,
  to: (body: Json, asked: number | undefined, realm: string, context: DataReply) => unknown,
): void =>
  seam.data(operation, (body, context) => {
    const { id, realm = context.request.route?.realm ?? 'pc' } = context.args;
    return to(body, id === undefined ? undefined : Number(id), realm, context);
  });

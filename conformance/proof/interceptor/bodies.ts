import type { Json, Interceptor } from './interceptor.js';

/** Changes the JSON body of a request to create or update a filter. */
export const sent = (
  seam: Interceptor,
  operation: 'createItemFilter' | 'updateItemFilter',
  to: (body: Json) => Json | void,
): void =>
  seam.request((request) => {
    if (request.operation !== operation) return;
    const { json } = request;
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return;
    const before = JSON.stringify(json);
    const after = to(json as Json) ?? json;
    if (JSON.stringify(after) !== before) request.json = after;
  });

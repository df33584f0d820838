// What a schema may be, and how it goes with the function.

import type { JSONSchema7 } from 'json-schema';
import * as v from 'valibot';
import { z } from 'zod';
import { webmcp } from 'webmcp-wasm';
import type { JSONSchema, StandardSchema } from 'webmcp-wasm';
import { same } from './expect';
import { deleteUser } from './shop';

const description = 'Delete a user';

// JSON Schema, written in place, as a constant, as a variable, and with others' types.

webmcp(deleteUser, {
  description,
  schema: { type: 'object', properties: { id: { type: 'string', minLength: 1, 'x-order': 1 } }, required: ['id'], additionalProperties: false },
  outputSchema: { type: ['object', 'null'], properties: { gone: true } },
  fields: { id: { format: 'uuid' } },
});
const constant = { type: 'object', properties: { id: { enum: ['a', 'b'] } }, required: ['id'] } as const;
webmcp(deleteUser, { description, schema: constant });
const variable = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
webmcp(deleteUser, { description, schema: variable });
const draft7: JSONSchema7 = { type: 'object' };
webmcp(deleteUser, { description, schema: draft7 });
const zods: JSONSchema = z.toJSONSchema(z.object({ id: z.string() })) as z.core.JSONSchema.JSONSchema;
webmcp(deleteUser, { description, schema: zods });

// @ts-expect-error no keyword of JSON Schema
webmcp(deleteUser, { description, schema: { tpye: 'object' } });
// @ts-expect-error no keyword of JSON Schema, further in
webmcp(deleteUser, { description, schema: { type: 'object', properties: { id: { minLenght: 1 } } } });
// @ts-expect-error required is an array
webmcp(deleteUser, { description, schema: { type: 'object', required: 'id' } });
// @ts-expect-error properties are schemas
webmcp(deleteUser, { description, schema: { type: 'object', properties: { id: 'string' } } });
// @ts-expect-error the function has no such member
webmcp(deleteUser, { description, fields: { ids: { type: 'string' } } });
// @ts-expect-error a schema, not its type alone
webmcp(deleteUser, { description, schema: 'object' });

// Standard Schemas: the function takes what they make of the input.

webmcp(deleteUser, { description, schema: z.object({ id: z.string() }), outputSchema: z.object({ gone: z.boolean() }) });
webmcp(deleteUser, { description, schema: z.object({ id: z.coerce.string() }), fields: { id: z.string().min(1) } });
webmcp(deleteUser, { description, schema: z.object({ id: z.number() }).transform(({ id }) => ({ id: String(id) })) });
webmcp(deleteUser, { description, schema: v.object({ id: v.string() }) });
// @ts-expect-error that id is a number
webmcp(deleteUser, { description, schema: z.object({ id: z.number() }) });
// @ts-expect-error that id may be missing
webmcp(deleteUser, { description, schema: z.object({ id: z.string().optional() }) });
// @ts-expect-error that id is a number
webmcp(deleteUser, { description, schema: v.object({ id: v.number() }) });
// @ts-expect-error that id is a number
webmcp(deleteUser, { description, fields: { id: z.number() } });

// A function that is written in place needs no types of its own.

const inferred = webmcp(
  async ({ id, quantity }, { signal }) => {
    same<typeof id, string>(true);
    same<typeof quantity, number>(true);
    signal.throwIfAborted();
    return { id, quantity };
  },
  {
    name: 'inferred',
    description,
    schema: z.object({ id: z.string(), quantity: z.number().default(1) }),
    hooks: { after: ({ input, output }) => ({ output: { ...output, quantity: output.quantity + input.quantity } }) },
  },
);
inferred satisfies (input: { id: string; quantity: number }, call: never) => Promise<{ id: string; quantity: number }>;
webmcp((id) => id.toFixed(), { name: 'transformed', description, schema: z.object({ id: z.number() }).transform(({ id }) => id) });

// A Standard Schema of one's own.

const own: StandardSchema<unknown, { id: string }> = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value) => (typeof value === 'string' ? { value: { id: value } } : { issues: [{ message: 'no text', path: ['id', { key: 0 }] }] }),
  },
};
webmcp(deleteUser, { description, schema: own });

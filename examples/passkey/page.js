import { webmcp } from './webmcp.js';

/** Asks the server. */
async function post(path, body) {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  const said = await response.json();
  if (!response.ok) throw new Error(said);
  return said;
}

// The human makes a passkey, which the server keeps.
document.querySelector('#enrol').addEventListener('click', async () => {
  const { publicKey } = await post('/passkey/begin');
  const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  await post('/passkey/finish', made);
  document.querySelector('#said').textContent = 'You can approve now.';
});

await webmcp(
  // The server gets what it needs to verify that the human has approved just this order.
  (order, { metadata: { approval: { proof: { id, nonce, assertion } } } }) => post('/order', { order, id, nonce, assertion }),
  {
    name: 'order',
    description: 'Orders something from the shop.',
    schema: {
      type: 'object', required: ['item', 'count'], additionalProperties: false,
      properties: { item: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
    },
    approval: {
      title: 'Place this order?',
      describe: ({ item, count }) => `${count} × ${item}`,
      async verify(challenge, { signal }) {
        const { allowCredentials } = PublicKeyCredential.parseRequestOptionsFromJSON({ challenge: '', allowCredentials: await post('/passkeys') });
        return navigator.credentials.get({ publicKey: { challenge, allowCredentials, userVerification: 'required' }, signal });
      },
    },
  },
).register();

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { agent } from 'webmcp-wasm/testing';
import './shop.js';

let a;
beforeEach(async () => {
  a = await agent();
});

test('user 7 is not deleted', async () => {
  const { code, executed } = await a.call('delete_user', { id: '7' });
  assert.deepEqual({ code, executed }, { code: 'USER_DENIED', executed: false });
});

test('the agent gives up', async () => {
  const gone = new AbortController();
  const paid = a.call('pay', { total: 20 }, { signal: gone.signal });
  await a.tick(0); // all that waits for nothing but its turn
  assert.equal(a.questions().length, 1);
  gone.abort();
  await assert.rejects(paid, { name: 'AbortError' });
  await a.tick(0);
  assert.deepEqual(a.questions(), []);
});

test('two calls a minute', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  try {
    for (const id of ['1', '2']) await a.call('delete_user', { id });
    assert.equal((await a.call('delete_user', { id: '3' })).code, 'RATE_LIMITED');
    mock.timers.tick(60_000);
    assert.equal((await a.call('delete_user', { id: '3' })).code, undefined);
  } finally {
    mock.timers.reset();
  }
});

test('nobody answers', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const paid = a.call('pay', { total: 20 });
    await a.tick(0); // until the human is asked
    mock.timers.tick(21_000);
    assert.equal((await paid).code, 'APPROVAL_TIMEOUT');
  } finally {
    mock.timers.reset();
  }
});

import { beforeEach, expect, jest, test } from '@jest/globals';
import { agent } from 'webmcp-wasm/testing';
import './shop.js';

let a;
beforeEach(async () => {
  a = await agent({ answer: ({ input }) => (input.total < 100 ? 'approve' : { decision: 'deny', reason: 'too much' }) });
});

test('user 7 is not deleted', async () => {
  expect(await a.call('delete_user', { id: '7' })).toMatchObject({ isError: true, code: 'USER_DENIED' });
});

test('the human pays what is cheap', async () => {
  const [cheap, dear] = await Promise.all([a.call('pay', { total: 20 }), a.call('pay', { total: 200 })]);
  expect(cheap.content[0].text).toBe('Paid 20 EUR.');
  expect(dear).toMatchObject({ code: 'USER_DENIED' });
});

test('nobody answers', async () => {
  a.answer(undefined);
  jest.useFakeTimers();
  try {
    const paid = a.call('pay', { total: 20 });
    await a.tick(0); // until the human is asked
    await jest.advanceTimersByTimeAsync(21_000);
    expect(await paid).toMatchObject({ code: 'APPROVAL_TIMEOUT' });
  } finally {
    jest.useRealTimers();
  }
});

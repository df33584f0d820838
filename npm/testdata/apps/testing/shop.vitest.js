import { beforeEach, expect, test, vi } from 'vitest';
import { agent } from 'webmcp-wasm/testing';
import './shop.js';

let a;
beforeEach(async () => {
  a = await agent(); // a fresh page, with what shop.js has registered
});

test('user 7 is not deleted', async () => {
  expect(await a.call('delete_user', { id: '7' })).toMatchObject({ isError: true, code: 'USER_DENIED' });
  expect(a.trace().map(({ phase, hook }) => `${phase} ${hook}`)).toEqual(['before ask']);
});

test('agents read no address', async () => {
  const { content } = await a.call('delete_user', { id: '1' });
  expect(JSON.parse(content[0].text)).toEqual({ id: '1', email: '***' });
});

test('the human is asked', async () => {
  const paid = a.call('pay', { total: 20 });
  const { sentence } = await a.approve();
  expect(sentence).toBe('20 EUR are paid.');
  expect((await paid).content[0].text).toBe('Paid 20 EUR.');

  const refused = a.call('pay', { total: 20_000 });
  await a.deny('too much');
  expect(await refused).toMatchObject({ code: 'USER_DENIED', executed: false });
});

test('nobody answers', async () => {
  const paid = a.call('pay', { total: 20 });
  await a.tick(21_000); // the time of the page
  expect(await paid).toMatchObject({ code: 'APPROVAL_TIMEOUT' });
});

test('two calls a minute', async () => {
  vi.useFakeTimers(); // the page goes by these, too
  try {
    await a.call('delete_user', { id: '1' });
    await a.call('delete_user', { id: '2' });
    expect(await a.call('delete_user', { id: '3' })).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 60 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await a.call('delete_user', { id: '3' })).isError).toBe(undefined);
  } finally {
    vi.useRealTimers();
  }
});

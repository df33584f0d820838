import { act, cleanup, render, screen } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useWebMCP } from 'webmcp-wasm/react';
import { agent } from 'webmcp-wasm/testing';

function Cart({ cart }) {
  const { source } = useWebMCP(() => cart, { name: 'get_cart', description: 'What is in the cart now', schema: { type: 'object' } });
  return createElement('p', null, source === 'native' ? 'Agents can read the cart.' : null);
}

let a;
beforeEach(async () => {
  a = await agent();
});
afterEach(cleanup);

test.each(['tea', 'cake'])('agents read the cart: %s', async (item) => {
  const { rerender } = render(createElement(Cart, { cart: [] }));
  await screen.findByText('Agents can read the cart.');
  rerender(createElement(Cart, { cart: [item] }));
  expect((await a.call('get_cart')).content[0].text).toBe(JSON.stringify([item]));
  await act(async () => cleanup());
  expect(await a.list()).toEqual([]);
});

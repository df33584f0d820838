import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './recipe.jsx';

let root;

/** Shows the App of the example with these props, or again with others. Returns what takes it away. */
export function show(props) {
  root ??= createRoot(document.body.appendChild(document.createElement('main')));
  root.render(createElement(App, props));
  return () => root.unmount();
}

import { webmcp } from 'webmcp-wasm';

export default {
  contact: {
    setup() {
      const make = (name, members, ...inside) => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(members)) element.setAttribute(key, value);
        element.append(...inside);
        return element;
      };
      document.body.append(make('form', { toolname: 'contact', tooldescription: 'Writes to the shop', toolautosubmit: '', action: '/contact', method: 'post' },
        make('input', { name: 'email', type: 'email', required: '', toolparamdescription: "the customer's address" }), make('textarea', { name: 'message', required: '' }),
        make('input', { name: 'source', type: 'hidden' }), make('button', {}, 'Send')));
    },
    async check({ end }, { equal, until }) {
      const sent = [];
      const form = document.querySelector('form[toolname=contact]');
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        sent.push(Object.fromEntries(new FormData(form)));
        event.respondWith('Thanks.');
      });
      await until(() => webmcp.registry.isRegistered('contact'));
      const text = async (message) => (await webmcp.invokeTool('contact', { email: 'ada@example.com', message })).content[0].text;
      equal(await text('Do you have tea?'), 'Thanks.');
      equal(await text('Look at https://example.com'), 'Denied: No links, please.');
      equal(sent, [{ email: 'ada@example.com', message: 'Do you have tea?', source: 'agent' }]);
      end();
    },
  },
};

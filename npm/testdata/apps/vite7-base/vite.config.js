// A cache and a path of its own, as Nuxt has them.
export default { base: '/shop/', cacheDir: 'node_modules/.cache/vite/client' };

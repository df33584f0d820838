import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { webmcp } from 'webmcp-wasm';
import { Shop } from './hot-shop.jsx';

window.webmcp = webmcp;
createRoot(document.getElementById('root')).render(<StrictMode><Shop /></StrictMode>);

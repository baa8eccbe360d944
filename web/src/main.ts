import { mount } from 'svelte';
import App from './App.svelte';
import { fetchPlace } from './lib/places';
import { follow, route } from './lib/router.svelte';
import { dressAlways, settings } from './lib/settings.svelte';
import { learn } from './lib/texts.svelte';
import './style.css';
import './boards.css';
import './print.css';

dressAlways();
follow();
fetchPlace(route.place);

const app = document.getElementById('app');
void learn(settings.lang)
  // Better a page that shows its keys than no page.
  .catch(() => undefined)
  .then(() => app && mount(App, { target: app }));

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}

// Keeps all files of the page, so that it works without a network. `js/page/build.sh` puts in their
// names and a digest of them: a new version of the page has another digest, and replaces the old one.

const VERSION = 'strong4-@VERSION@';
const FILES = [@FILES@];

addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(VERSION);
    await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
    await skipWaiting();
  };
  event.waitUntil(keep());
});

addEventListener('activate', (event) => {
  const forget = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith('strong4-') && name !== VERSION);
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(forget());
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  const answer = async () => {
    const cache = await caches.open(VERSION);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(answer());
});

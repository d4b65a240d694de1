// Runs before the first paint, so that a light screen does not flash dark. Same key as lib/storage.ts.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('color-scheme')
  } catch {
    // Storage may be blocked; the system's choice is then as good as any.
  }
  const isLight =
    chosen === 'light' || (chosen !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isLight ? 'light' : 'dark')
})()

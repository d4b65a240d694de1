import { later } from '../../lib/later.ts'

export const CSV_DIALOG = later('csv', async () => (await import('./CsvDialog.tsx')).CsvDialog)

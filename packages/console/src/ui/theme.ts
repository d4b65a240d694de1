/** Mantine's share of the look: it carries behaviour, our tokens carry the colours. */
import { createTheme, type CSSVariablesResolver } from '@mantine/core'

export const theme = createTheme({
  autoContrast: true,
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 6,
  focusRing: 'auto',
  respectReducedMotion: true,
})

const ours = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--raised)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-2)',
}

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: ours, dark: ours })

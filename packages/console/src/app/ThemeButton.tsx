/** Dark, light, or as the system has it: one button that goes round. */
import { useMantineColorScheme } from '@mantine/core'
import { COLOR_SCHEMES, type ColorScheme } from '../lib/storage.ts'
import { IconButton } from '../ui/button/Button.tsx'
import type { IconName } from '../ui/symbol/Icon.tsx'

const LOOKS: Record<ColorScheme, { icon: IconName; word: string }> = {
  dark: { icon: 'moon', word: 'dark' },
  light: { icon: 'sun', word: 'light' },
  auto: { icon: 'system', word: 'as the system' },
}

export function ThemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const next = COLOR_SCHEMES[(COLOR_SCHEMES.indexOf(colorScheme) + 1) % COLOR_SCHEMES.length]
  const { icon, word } = LOOKS[colorScheme]
  return (
    <IconButton
      icon={icon}
      label={`Colours: ${word}. Change`}
      tone="quiet"
      size={28}
      onClick={() => {
        if (next !== undefined) setColorScheme(next)
      }}
    />
  )
}

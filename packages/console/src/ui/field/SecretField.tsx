/** A text field whose text is hidden until its eye is pressed: a password, a key. */
import { useState, type ComponentProps } from 'react'
import { IconButton } from '../button/Button.tsx'
import { Field } from './Field.tsx'

interface SecretFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'right'> {
  /** What the eye button shows and hides, as used in a sentence: 'password'. */
  secret: string
}

export function SecretField({ secret, ...rest }: SecretFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...rest}
      type={isShown ? 'text' : 'password'}
      right={
        <IconButton
          icon={isShown ? 'eye-off' : 'eye'}
          label={`${isShown ? 'Hide' : 'Show'} ${secret}`}
          tone="quiet"
          size={28}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}

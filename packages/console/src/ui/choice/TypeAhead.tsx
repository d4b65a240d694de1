/** A filter out of a list too long to be listed. Who uses it finds what matches; '' is no filter. */
import { useId } from 'react'
import { Combobox, type ComboboxProps } from './Combobox.tsx'
import { Icon } from '../symbol/Icon.tsx'
import classes from './TypeAhead.module.css'

interface TypeAheadProps extends Pick<
  ComboboxProps,
  'label' | 'value' | 'valueLabel' | 'choices' | 'more' | 'onType' | 'onChange'
> {
  /** 'All inputs'; null where `choices` has it already. */
  allLabel: string | null
}

export function TypeAhead({ allLabel, ...props }: TypeAheadProps) {
  const labelId = useId()
  const all = allLabel === null ? [] : [{ value: '', label: allLabel }]
  const isAll = allLabel !== null && props.value === ''
  return (
    <div className={classes.filter} data-all={isAll || undefined}>
      <span className={classes.label} id={labelId}>
        {props.label}
      </span>
      <Combobox
        {...props}
        labelId={labelId}
        valueLabel={isAll ? allLabel : props.valueLabel}
        choices={[...all, ...props.choices]}
      />
      <Icon name="down" size={13} />
    </div>
  )
}

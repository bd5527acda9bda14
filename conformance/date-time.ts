/** A date-time as an instant; one without a time zone as if its zone were UTC. */
export interface DateTime {
  /** Milliseconds since 1970. */
  readonly ms: number;
  readonly zoned: boolean;
}

/** Date and time, and the zone, which may have the other form of ISO 8601 than these: it often has. */
const whole =
  /^(?<date>[\dW-]+)T(?<time>[\d:.,]+)(?<zone>Z|(?<sign>[-+\u2212])(?<zoneHour>[01]\d|2[0-3])(?::?(?<zoneMinute>[0-5]\d))?)?$/i;

/** The extended form and the basic one: date and time do not mix them (ISO 8601-1 5.4.2.1). */
const forms = [
  {
    date: /^(?<year>\d{4})-(?:(?<month>\d{2})-(?<day>\d{2})|W(?<week>\d{2})-(?<weekday>[1-7])|(?<ordinal>\d{3}))$/i,
    time: /^(?<hour>\d{2})(?::(?<minute>[0-5]\d)(?::(?<second>[0-5]\d|60))?)?(?:[.,](?<fraction>\d+))?$/,
  },
  {
    date: /^(?<year>\d{4})(?:(?<month>\d{2})(?<day>\d{2})|W(?<week>\d{2})(?<weekday>[1-7])|(?<ordinal>\d{3}))$/i,
    time: /^(?<hour>\d{2})(?:(?<minute>[0-5]\d)(?<second>[0-5]\d|60)?)?(?:[.,](?<fraction>\d+))?$/,
  },
];

const day = 86_400_000;

/**
 * Reads an ISO 8601 date-time: a calendar, week or ordinal date with a time, basic or extended, with a fraction of its
 * smallest unit behind a comma or a dot, 24:00 as the end of a day, with or without a time zone. Small letters are as good
 * (RFC 3339 5.6). Undefined for anything else, such as a day that does not exist.
 */
export function dateTimeOf(text: string): DateTime | undefined {
  if (text.length > 64) return undefined;
  const parts = whole.exec(text)?.groups;
  if (!parts) return undefined;
  for (const form of forms) {
    const [dateParts, timeParts] = [form.date.exec(parts['date']!)?.groups, form.time.exec(parts['time']!)?.groups];
    const [date, time] = [dateParts && dateOf(dateParts), timeParts && timeOf(timeParts)];
    if (date !== undefined && time !== undefined)
      return { ms: date + time - offsetOf(parts), zoned: parts['zone'] !== undefined };
  }
  return undefined;
}

type Parts = Readonly<Record<string, string | undefined>>;

/** The start of a day, in years of four digits. */
const startOf = (year: number, month: number, dayOfMonth: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, dayOfMonth);

function dateOf({ year: years, month, day: days, week, weekday, ordinal }: Parts): number | undefined {
  const year = Number(years);
  const within = (ms: number, from: number, to: number): number | undefined => (ms >= from && ms < to ? ms : undefined);
  const newYear = startOf(year, 1, 1);
  if (ordinal !== undefined) return within(newYear + (Number(ordinal) - 1) * day, newYear, startOf(year + 1, 1, 1));
  if (week !== undefined) {
    const from = firstMonday(year);
    return within(from + (Number(week) - 1) * 7 * day, from, firstMonday(year + 1)) === undefined
      ? undefined
      : from + ((Number(week) - 1) * 7 + Number(weekday) - 1) * day;
  }
  if (Number(month) < 1 || Number(month) > 12) return undefined;
  const first = startOf(year, Number(month), 1);
  return within(first + (Number(days) - 1) * day, first, startOf(year, Number(month) + 1, 1));
}

/** The Monday of week 01, which is the week of 4 January. */
function firstMonday(year: number): number {
  const fourth = startOf(year, 1, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * day;
}

function timeOf({ hour, minute, second, fraction = '0' }: Parts): number | undefined {
  const unit = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000;
  const whole = (Number(hour) * 60 + Number(minute ?? 0)) * 60_000 + Number(second ?? 0) * 1000;
  const ms = whole + Number(`0.${fraction}`) * unit;
  return Number(hour) > 23 && ms !== day ? undefined : Math.round(ms);
}

const offsetOf = ({ sign, zoneHour = '0', zoneMinute = '0' }: Parts): number =>
  (sign === '+' ? 1 : -1) * (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;

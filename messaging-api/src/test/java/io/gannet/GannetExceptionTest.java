package io.gannet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.ErrorCode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each exception of a client has a code, and its message ends with it. */
class GannetExceptionTest
{
    @Test
    void eachKindHasItsCode()
    {
        final Map<String, GannetException> kinds = Map.of(
            "E307", new VersionMismatchException("x"),
            "E330", new DriverUnavailableException(DriverState.DEAD, "x", null),
            "E331", new DriverTimeoutException("x"),
            "E333", new ClientClosedException("x"),
            "E334", new GannetException("x"));
        kinds.forEach((code, exception) ->
        {
            assertThat(exception.code()).isEqualTo(code);
            assertThat(exception).hasMessage("x (" + code + ")");
        });
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void whatADriverRefusesHasACodeEach(final ErrorCode code)
    {
        final RegistrationException refused = new RegistrationException(code, "cannot add x: y");
        assertThat(refused.code()).isEqualTo("E3" + String.format("%02d", code.code()));
        assertThat(refused).hasMessage("cannot add x: y (" + refused.code() + ")");
    }

    @Test
    void theCodeOfTheDriverIsTheNearerOne()
    {
        final RegistrationException refused =
            new RegistrationException(ErrorCode.INVALID_CHANNEL, "cannot add x: no device (E401)");
        assertThat(refused).hasMessage("cannot add x: no device (E401)");
        assertThat(refused.code()).isEqualTo("E401");
    }

    @Test
    void withoutAMessageThereIsNothingToEnd()
    {
        assertThat(new GannetException(null)).hasMessage(null);
        assertThat(new GannetException(null).code()).isEqualTo("E334");
    }
}
